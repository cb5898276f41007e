/** What blind rating keeps: a set of pairs, who rated them, and a log that only grows (docs/formats/wmvotes.md). */
import type { SlotTexts } from '../../world/types';

/** Version of the format this code writes; it reads this major version up to this minor one. */
export const VOTES_VERSION: readonly [number, number] = [1, 0];

/** What each side is rated on, 1 to 5. */
export const SCALES = ['realism', 'correctness', 'utility'] as const;
export type Scale = (typeof SCALES)[number];
export type Scores = { [scale in Scale]: number };

/** The two answers of a pair, in an order that has nothing to do with left and right. */
export const ITEMS = ['a', 'b'] as const;
export type ItemKey = (typeof ITEMS)[number];
export type Preference = ItemKey | 'tie';

/** Who wrote an answer: simulator, version and the settings that are not the defaults; and the hash of the model's files. */
export interface Author {
  name: string;
  /** First 16 hex digits of the SHA-256 of the model's list of files; null where no model took part. */
  model: string | null;
}

/** A call and its answer, as texts of the codec. */
export interface RatedTurn {
  directives: string;
  call: string;
  text: SlotTexts;
}

/** One answer (one turn) or one rollout (all its turns), and where it was recorded. */
export interface RatedItem {
  by: Author;
  run: string;
  /** Its last step. */
  step: string;
  turns: RatedTurn[];
}

export interface RatingPair {
  type: 'pair';
  /** `p` and 16 hex digits of the SHA-256 of everything else in the pair. */
  id: string;
  /** What both answers stand behind: the prompt up to `<resp>`; for rollouts the world, up to the first `<turn>`. */
  prompt: string;
  a: RatedItem;
  b: RatedItem;
  /** The twin's turns for those who ask; null where nobody knows them or the set does not offer them. */
  truth: RatedTurn[] | null;
}

/** What the twin is in a set: not there, one of those that are rated, or help for raters who ask. */
export type TruthRole = 'none' | 'side' | 'help';

export interface RatingSet {
  id: string;
  title: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  kind: 'answer' | 'rollout';
  /** Keys the choice of pairs, their order and their sides. */
  seed: number;
  truth: TruthRole;
}

/** A person in one browser. Two people of one name have two ids. */
export interface Rater {
  type: 'rater';
  id: string;
  name: string;
}

interface Entry {
  id: string;
  rater: string;
  /** ISO 8601, UTC. */
  createdAt: string;
}

export interface VoteEntry extends Entry {
  type: 'vote';
  pair: string;
  /** Which item stood on the left. */
  left: ItemKey;
  preference: Preference;
  scores: { [item in ItemKey]: Scores };
  /** Whether the rater had the twin's answer shown before voting. */
  truthSeen: boolean;
}

export interface SkipEntry extends Entry {
  type: 'skip';
  pair: string;
}

/** Takes back a vote or a skip, named by `of`, of the same rater. */
export interface UndoEntry extends Entry {
  type: 'undo';
  of: string;
}

/** The rater had the authors shown, after the vote `of`; that vote can no longer be taken back. */
export interface RevealEntry extends Entry {
  type: 'reveal';
  of: string;
}

export type LogEntry = VoteEntry | SkipEntry | UndoEntry | RevealEntry;

/** Everything of one set. */
export interface Rating {
  set: RatingSet;
  raters: Rater[];
  pairs: RatingPair[];
  log: LogEntry[];
}

/** Key under which votes of an author count together. */
export function authorKey({ name, model }: Author): string {
  return model === null ? name : `${name} #${model}`;
}

/** What a side says, as the codec writes it behind the prompt; two items with one text are one answer. */
export function completionOf({ turns }: Pick<RatedItem, 'turns'>): string {
  return turns.map((turn, i) => (i === 0 ? '' : headOf(turn)) + slotsOf(turn)).join('');
}

/** A turn up to where its answer begins. */
export function headOf({ directives, call }: RatedTurn): string {
  return `<turn>${directives}<call>${call}<resp>`;
}

function slotsOf({ text }: RatedTurn): string {
  return `${text.observation}<end>${text.delta}<end>${text.status}<end>`;
}
