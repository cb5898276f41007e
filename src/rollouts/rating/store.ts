/** Sets and votes in IndexedDB, in a database of their own: a vote is kept before the next pair is shown. */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { nameOf } from '../problem';
import { RatingError } from './errors';
import { mergeRatings, sortRating } from './log';
import type { Draft } from './draft';
import type { LogEntry, Rater, Rating, RatingPair, RatingSet } from './types';

export const RATING_DATABASE = 'terrarium-rating';

interface Within<T> {
  set: string;
  id: string;
  value: T;
}

interface Schema extends DBSchema {
  sets: { key: string; value: RatingSet };
  pairs: { key: [string, string]; value: Within<RatingPair> };
  raters: { key: [string, string]; value: Within<Rater> };
  log: { key: [string, string]; value: Within<LogEntry> };
  /** What a rater has typed for a pair and not voted yet, one for each set and rater. */
  drafts: { key: [string, string]; value: Within<Draft> };
  /** The raters of this browser, by name. */
  people: { key: string; value: Rater };
}

type Database = IDBPDatabase<Schema>;
const PARTS = ['pairs', 'raters', 'log', 'drafts'] as const;

/** Changes of the layout, one after another: entry i leads from version i to i + 1. Never edit one that was published. */
const MIGRATIONS: readonly ((db: Database) => void)[] = [
  (db) => {
    db.createObjectStore('sets', { keyPath: 'id' });
    for (const part of PARTS) db.createObjectStore(part, { keyPath: ['set', 'id'] });
    db.createObjectStore('people', { keyPath: 'name' });
  },
];

/** What an import added. */
export interface MergeReport {
  set: RatingSet;
  /** Whether the set was not here before. */
  fresh: boolean;
  pairs: number;
  entries: number;
  /** Names that two raters of the set share: they count as two. */
  sameNames: string[];
}

export class RatingStore {
  private constructor(private readonly db: Database) {}

  /** @throws RatingError `storage` where the browser gives no storage: votes that would be lost are not taken */
  static async open(name = RATING_DATABASE): Promise<RatingStore> {
    const db: Database = await guarded(() =>
      openDB<Schema>(name, MIGRATIONS.length, {
        upgrade(open, oldVersion) {
          for (const migrate of MIGRATIONS.slice(oldVersion)) migrate(open);
        },
        // Another tab with a newer Terrarium waits for this connection; what comes next fails and says so.
        blocking: () => db.close(),
      }),
    );
    return new RatingStore(db);
  }

  /** All sets, newest first. */
  async list(): Promise<RatingSet[]> {
    const sets = await guarded(() => this.db.getAll('sets'));
    return sets.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  }

  /** Everything of a set. @throws RatingError `no_set`, `storage` */
  async load(id: string): Promise<Rating> {
    const rating = await this.#find(id);
    if (rating) return rating;
    throw new RatingError('no_set', 'This set is not in the store any more.', 'Make a new one, or import its file.');
  }

  /** Keeps a new set with its pairs. */
  async create(set: RatingSet, pairs: readonly RatingPair[]): Promise<void> {
    await this.#put({ set, raters: [], pairs: [...pairs], log: [] });
  }

  /**
   * Adds an entry to the log of a set, and the rater with it; what was typed for the pair is forgotten in the same
   * transaction, or replaced.
   */
  async append(set: string, rater: Rater, entry: LogEntry, draft: Draft | null = null): Promise<void> {
    await guarded(async () => {
      const tx = this.db.transaction(['sets', 'raters', 'log', 'drafts'], 'readwrite');
      if ((await tx.objectStore('sets').count(set)) === 0) {
        await tx.done;
        throw new RatingError('no_set', 'This set was deleted, perhaps in another tab.', 'Choose another one.');
      }
      const drafts = tx.objectStore('drafts');
      await Promise.all([
        tx.objectStore('raters').put({ set, id: rater.id, value: rater }),
        tx.objectStore('log').add({ set, id: entry.id, value: entry }),
        draft ? drafts.put({ set, id: rater.id, value: draft }) : drafts.delete([set, rater.id]),
        tx.done,
      ]);
    });
  }

  /** What a rater has typed and not voted yet, or null. */
  async draft(set: string, rater: string): Promise<Draft | null> {
    return (await guarded(() => this.db.get('drafts', [set, rater])))?.value ?? null;
  }

  async keepDraft(set: string, rater: string, draft: Draft): Promise<void> {
    await guarded(() => this.db.put('drafts', { set, id: rater, value: draft }));
  }

  /** The rater of this browser with that name; a new one if there is none. */
  async rater(name: string, newId: () => string): Promise<Rater> {
    return guarded(async () => {
      const tx = this.db.transaction('people', 'readwrite');
      const known = await tx.store.get(name);
      const rater: Rater = known ?? { type: 'rater', id: newId(), name };
      if (!known) await tx.store.put(rater);
      await tx.done;
      return rater;
    });
  }

  /**
   * Adds a file to what is here: a set that is not here yet, or pairs and votes of one that is. All of it or nothing.
   * @throws RatingError `conflict`, `storage`
   */
  async merge(rating: Rating): Promise<MergeReport> {
    const here = await this.#find(rating.set.id);
    const merged = here ? mergeRatings(here, rating) : sortRating(rating);
    await this.#put(merged);
    const names = merged.raters.map(({ name }) => name);
    return {
      set: merged.set,
      fresh: here === null,
      pairs: merged.pairs.length - (here?.pairs.length ?? 0),
      entries: merged.log.length - (here?.log.length ?? 0),
      sameNames: [...new Set(names.filter((name, i) => names.indexOf(name) !== i))],
    };
  }

  /** Removes a set with all its votes; one that is not there is no error. */
  async remove(id: string): Promise<void> {
    await guarded(async () => {
      const tx = this.db.transaction(['sets', ...PARTS], 'readwrite');
      await Promise.all([
        tx.objectStore('sets').delete(id),
        ...PARTS.map((part) => tx.objectStore(part).delete(within(id))),
        tx.done,
      ]);
    });
  }

  close(): void {
    this.db.close();
  }

  async #find(id: string): Promise<Rating | null> {
    return guarded(async () => {
      const tx = this.db.transaction(['sets', 'pairs', 'raters', 'log']);
      const [set, raters, pairs, log] = await Promise.all([
        tx.objectStore('sets').get(id),
        tx.objectStore('raters').getAll(within(id)),
        tx.objectStore('pairs').getAll(within(id)),
        tx.objectStore('log').getAll(within(id)),
      ]);
      if (!set) return null;
      const values = <T>(rows: readonly Within<T>[]) => rows.map(({ value }) => value);
      return sortRating({ set, raters: values(raters), pairs: values(pairs), log: values(log) });
    });
  }

  /** Puts everything of a set, in one transaction. Nothing is taken away: another tab may have added to it meanwhile. */
  async #put({ set, raters, pairs, log }: Rating): Promise<void> {
    await guarded(async () => {
      const tx = this.db.transaction(['sets', 'pairs', 'raters', 'log'], 'readwrite');
      const { id } = set;
      await Promise.all([
        tx.objectStore('sets').put(set),
        ...raters.map((value) => tx.objectStore('raters').put({ set: id, id: value.id, value })),
        ...pairs.map((value) => tx.objectStore('pairs').put({ set: id, id: value.id, value })),
        ...log.map((value) => tx.objectStore('log').put({ set: id, id: value.id, value })),
        tx.done,
      ]);
    });
  }
}

/** Keys of everything in a set. */
function within(set: string): IDBKeyRange {
  // An array sorts after every text.
  return IDBKeyRange.bound([set], [set, []]);
}

/** What IndexedDB throws, as a sentence that says what to do. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RatingError) throw error;
    const full = (error as { name?: unknown } | null)?.name === 'QuotaExceededError';
    const what = full ? "The browser's storage is full." : `The browser's storage failed (${nameOf(error)}).`;
    const advice = full
      ? 'Nothing was stored. Delete runs, batches or sets you do not need, then try again.'
      : 'Nothing was stored. Reload the page and try again; in private windows there may be no storage.';
    throw new RatingError('storage', what, advice, { cause: error });
  }
}
