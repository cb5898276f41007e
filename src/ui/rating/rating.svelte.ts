/** View-model of blind rating: the set on show, who rates it, what was typed, and votes that are kept at once. */
import type { RunRecord } from '../../rollouts';
import {
  blindPair,
  candidatesOf,
  choosePairs,
  draftOf,
  effective,
  emptyDraft,
  fits,
  isRevealed,
  missing,
  moved,
  RatingStore,
  readVotes,
  voteOf,
  withPreference,
  withScore,
  writeVotes,
  type Candidate,
  type Draft,
  type LogEntry,
  type Rater,
  type Rating,
  type RatingSet,
  type Side,
  type TruthRole,
} from '../../rollouts/rating';
import type { Notices } from '../notices.svelte';
import { count } from '../text';
import { entryHead, idOf, nextPair, now } from './entries';

/** What a new set is made of. */
export interface NewSet {
  title: string;
  kind: RatingSet['kind'];
  /** Two lanes, or null for all. */
  lanes: readonly [string, string] | null;
  truth: TruthRole;
  most: number;
  seed: number;
}

const PREFERENCES: { [key: string]: Side | 'tie' } = { l: 'left', r: 'right', t: 'tie' };

export class RatingModel {
  sets = $state.raw<readonly RatingSet[]>([]);
  rating = $state.raw<Rating | null>(null);
  rater = $state.raw<Rater | null>(null);
  draft = $state.raw<Draft | null>(null);
  /** What the last key did, in words. */
  said = $state('');
  /** Authors of the last pair that was voted on, once the rater asked for them. */
  revealed = $state.raw<{ left: string; right: string } | null>(null);
  readonly pair = $derived(this.rating?.pairs.find(({ id }) => id === this.draft?.pair) ?? null);
  readonly blind = $derived(
    this.rating && this.rater && this.pair ? blindPair(this.rating.set, this.rater.id, this.pair) : null,
  );
  /** Votes and skips of this rater that count, oldest first. */
  readonly own = $derived(
    this.rating && this.rater ? effective(this.rating.log).filter(({ rater }) => rater === this.rater?.id) : [],
  );
  readonly #store: Promise<RatingStore>;
  readonly #notices: Notices;
  /** Keys are worked off one after another: what one of them keeps is there before the next is read. */
  #queue: Promise<void> = Promise.resolve();

  /** @param database name; tests take one of their own */
  constructor(notices: Notices, database?: string) {
    this.#notices = notices;
    this.#store = RatingStore.open(database);
    // Said by whoever uses it first; unheard rejections would only fill the console.
    this.#store.catch(() => undefined);
  }

  async refresh(): Promise<void> {
    await this.#notices.tell(async () => {
      this.sets = await (await this.#store).list();
    });
  }

  /** Makes a set of recorded runs, which are read one at a time, and opens it. */
  async create(
    runs: Iterable<RunRecord> | AsyncIterable<RunRecord>,
    make: NewSet,
    name: string,
    onRead: (runs: number) => void = () => undefined,
  ): Promise<void> {
    await this.#notices.tell(async () => {
      const { lanes, most, seed, kind, truth } = make;
      const some: Candidate[] = [];
      let read = 0;
      for await (const run of runs) {
        const all = await candidatesOf(run, kind);
        some.push(...(lanes ? all.filter(({ lane }) => lanes.includes(lane)) : all));
        onRead(++read);
      }
      const { pairs, found, same } = await choosePairs(some, { seed, truth, most });
      const set: RatingSet = {
        ...{ id: idOf('set'), title: make.title.trim() || 'Blind rating' },
        ...{ createdAt: now(), kind, seed, truth },
      };
      await (await this.#store).create(set, pairs);
      await this.refresh();
      await this.open(set.id, name);
      const equal = same > 0 ? `; ${count(same, 'pair')} left out because both sides say the same` : '';
      this.said = `${pairs.length} of ${count(found, 'pair')} chosen${equal}.`;
    });
  }

  /** Opens a set for a rater, at what was typed last or the next pair. */
  async open(id: string, name: string): Promise<void> {
    await this.#notices.tell(async () => {
      const store = await this.#store;
      const rater = await store.rater(name.trim() || 'Rater', () => idOf('rater'));
      const rating = await store.load(id);
      const kept = await store.draft(id, rater.id);
      [this.rating, this.rater, this.revealed, this.said] = [rating, rater, null, ''];
      this.draft = kept && fits(kept, rating.pairs) ? kept : this.#nextDraft();
    });
  }

  close(): void {
    [this.rating, this.rater, this.draft, this.revealed] = [null, null, null, null];
  }

  /** Adds a file of votes to what is here. */
  async import(text: string, name: string): Promise<void> {
    await this.#notices.tell(async () => {
      const report = await (await this.#store).merge(await readVotes(text));
      await this.refresh();
      await this.open(report.set.id, name);
      const twice = report.sameNames.length > 0 ? ` Two raters share the name ${report.sameNames.join(', ')}.` : '';
      this.said = `"${report.set.title}": ${count(report.pairs, 'pair')} and ${count(report.entries, 'log line')} added.${twice}`;
    });
  }

  /** The text of the open set with everyone's votes. */
  async export(): Promise<string> {
    return writeVotes(this.rating as Rating);
  }

  /** Does what a key stands for; false for a key that means nothing here. Errors become notices, and nothing is lost. */
  key(key: string): boolean {
    const work = this.#workOf(key);
    if (!work) return false;
    this.#queue = this.#queue.then(() => this.#notices.tell(work));
    return true;
  }

  /** Resolves when all keys so far are worked off. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  #workOf(key: string): (() => Promise<void>) | null {
    const lower = key.toLowerCase();
    const side = PREFERENCES[lower];
    if (/^[1-5]$/.test(key)) return () => this.#type((draft) => withScore(draft, draft.at, Number(key)));
    if (side) return () => this.#type((draft) => withPreference(draft, side));
    if (key === 'ArrowDown') return () => this.#type((draft) => moved(draft, 1));
    if (key === 'ArrowUp') return () => this.#type((draft) => moved(draft, -1));
    if (lower === 'h' && this.pair?.truth) return () => this.#type((draft) => ({ ...draft, truthSeen: true }));
    if (key === 'Enter') return () => this.#vote();
    if (lower === 's') return () => this.#skip();
    if (lower === 'u') return () => this.#undo();
    if (lower === 'v') return () => this.#reveal();
    return null;
  }

  async #type(change: (draft: Draft) => Draft): Promise<void> {
    if (!this.draft || !this.rating || !this.rater) return;
    const draft = change(this.draft);
    await (await this.#store).keepDraft(this.rating.set.id, this.rater.id, draft);
    this.draft = draft;
    this.said = '';
  }

  async #vote(): Promise<void> {
    if (!this.draft || !this.rating || !this.rater) return;
    const vote = voteOf(this.draft, { set: this.rating.set, rater: this.rater.id, ...entryHead() });
    if (!vote) {
      this.said = `Still missing: ${missing(this.draft).join(', ')}.`;
      return;
    }
    await this.#append(vote);
    this.said = 'Vote saved.';
  }

  async #skip(): Promise<void> {
    if (!this.draft || !this.rater) return;
    await this.#append({ type: 'skip', ...entryHead(), rater: this.rater.id, pair: this.draft.pair });
    this.said = 'Skipped.';
  }

  async #undo(): Promise<void> {
    const last = this.own.at(-1);
    if (!last || !this.rating) {
      this.said = 'There is nothing to take back.';
    } else if (isRevealed(this.rating.log, last.id)) {
      this.said = 'The authors of the last pair were shown, so its vote stands.';
    } else {
      const draft = last.type === 'vote' ? draftOf(last) : emptyDraft(last.pair);
      await this.#append({ type: 'undo', ...entryHead(), rater: last.rater, of: last.id }, draft);
      this.said = `Last ${last.type} taken back.`;
    }
  }

  async #reveal(): Promise<void> {
    const last = this.own.at(-1);
    const pair = this.rating?.pairs.find(({ id }) => id === last?.pair);
    if (last?.type !== 'vote' || !pair || !this.rating) {
      this.said = 'Authors can be shown after a vote.';
      return;
    }
    if (!isRevealed(this.rating.log, last.id)) {
      // What is typed for the next pair stays.
      await this.#append({ type: 'reveal', ...entryHead(), rater: last.rater, of: last.id }, this.draft, true);
    }
    const name = (item: 'a' | 'b') => pair[item].by.name;
    this.revealed = { left: name(last.left), right: name(last.left === 'a' ? 'b' : 'a') };
    this.said = '';
  }

  /** Keeps an entry, then shows what comes next: `draft`, or the next pair of this rater. */
  async #append(entry: LogEntry, draft: Draft | null = null, keep = false): Promise<void> {
    const { rating, rater } = this;
    if (!rating || !rater) return;
    await (await this.#store).append(rating.set.id, rater, entry, draft);
    const raters = rating.raters.some(({ id }) => id === rater.id) ? rating.raters : [...rating.raters, rater];
    this.rating = { ...rating, raters, log: [...rating.log, entry] };
    if (keep) return;
    this.revealed = null;
    this.draft = draft ?? this.#nextDraft();
  }

  #nextDraft(): Draft | null {
    const { rating, rater } = this;
    if (!rating || !rater) return null;
    const next = nextPair(rating, rater.id);
    return next === null ? null : emptyDraft(next);
  }
}
