/**
 * What a rollout leaves behind. These types are the lines of a `wmtrace` file and the values in IndexedDB alike
 * (docs/formats/wmtrace.md), so they are plain JSON: no undefined, no NaN, no class instances. Members that are not
 * listed here may be present in records that another program wrote; they are kept.
 */
import type { JsonObject } from '../world/json';
import type { Cost, ParseError, StepOptions } from '../world/simulator';
import type { Action, Directive, SlotTexts, Transition, World } from '../world/types';

export const FORMAT = 'wmtrace';
/** Major: files of another one are refused. Minor: files of a newer one are read with a warning. */
export const FORMAT_VERSION: [major: number, minor: number] = [1, 0];
/** How seeds become draws; see src/world/rng.ts. */
export const SEED_SCHEME = 'murmur3-counter(seed,lane,step,position)';
/** What wrote the record. A test holds the version to the one in package.json. */
export const APP = { name: 'terrarium', version: '0.1.0' } as const;

/** A model as it ran: enough to fetch the same bytes and run them the same way. Compatible with `ModelInfo` of src/models. */
export interface ModelRecord {
  id: string;
  kind: 'ar' | 'mdlm';
  provider: string;
  fallbackReason: string | null;
  adapter: string | null;
  dtype: string;
  runtime: string;
  files: { [path: string]: { bytes: number; sha256: string } };
  parameters: number | null;
  version: string;
  codec: number;
}

/** A lane of a run. `key` is the lane's part in the seed of every draw. */
export interface LaneRecord {
  id: string;
  simulator: string;
  key: number;
}

/** Who chose an action. */
export type ActionSource = { kind: 'human' } | { kind: 'agent'; id: string } | { kind: 'replay'; id: string };

/** First line of a run: the world at its start and everything that holds for all its steps. */
export interface RunHeader {
  type: 'header';
  format: typeof FORMAT;
  version: [major: number, minor: number];
  id: string;
  title: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  app: { name: string; version: string; commit: string | null };
  codec: number;
  seeds: { root: number; scheme: string };
  world: World;
  lanes: LaneRecord[];
  /** Models that answered in this run; lane results name theirs by its place in this list. */
  models: ModelRecord[];
  /** The lane whose answers are the truth, or null where nobody knows it. */
  reference: string | null;
  /** The step this run's world was made from by hand, if it was. */
  origin: { runId: string; stepId: string | null; lane: string | null } | null;
}

/** The exact prompt of an answer: the text with special tokens by name, and how it was cut. */
export interface PromptRecord {
  text: string;
  tokens: number;
  /** Turns whose deltas stand folded in the state of the prompt. */
  foldedTurns: number;
}

/** Tokens of an answer in columns. `slot` counts from 0: observation, delta, status. */
export interface TokenColumns {
  ids: number[];
  slot: number[];
  /** Probability of the committed token, to six decimals. */
  confidence: number[];
  /** Forward pass (from 1) in which the token was committed. */
  pass: number[];
  /** Places that were never committed; absent when there are none. */
  masked?: number[];
}

/** The task's checks on the lane's state after the step, in the order of the task. */
export interface CheckRecord {
  held: boolean[];
  done: boolean;
  progress: number;
}

/** Sampler parameters of one lane in one step. */
export type SamplerRecord = Pick<StepOptions, 'temperature' | 'topP' | 'threshold'>;

/** A lane answered; `text` is what the simulator wrote and what entered the lane's history. */
export interface LaneAnswer {
  kind: 'answer';
  seed: number;
  sampler: SamplerRecord;
  /** Place of the model in the header's list; null for a simulator that is no model. */
  model: number | null;
  prompt: PromptRecord | null;
  text: SlotTexts;
  transition: Transition;
  parseErrors: ParseError[];
  tokens: TokenColumns;
  cost: Cost;
  checks: CheckRecord;
}

/** A lane whose machinery failed. Its state and history are as they were. */
export interface LaneError {
  kind: 'error';
  seed: number;
  sampler: SamplerRecord;
  model: number | null;
  code: string;
  message: string;
  advice: string;
}

/** A lane that cannot answer in this world, such as the twin where nobody knows the truth. */
export interface LaneSkipped {
  kind: 'skipped';
  reason: string;
}

export type LaneResult = LaneAnswer | LaneError | LaneSkipped;

/** One action and what every lane made of it. Rows form a tree by `parentId`. */
export interface StepRecord {
  type: 'step';
  id: string;
  runId: string;
  parentId: string | null;
  /** Depth in the tree, from 0; also the step of the seed's key. */
  index: number;
  createdAt: string;
  source: ActionSource;
  action: Action;
  directives: Directive[];
  seed: number;
  /** The lane that is the truth of this row, or null when it has none. */
  reference: string | null;
  lanes: { [lane: string]: LaneResult };
}

/** A lock-step row is its own record. */
export type LockstepRow = StepRecord;

/** Somebody's preference between lanes of a step. */
export interface VoteRecord {
  type: 'vote';
  id: string;
  runId: string;
  stepId: string;
  createdAt: string;
  /** The preferred lane, or null for a tie. */
  choice: string | null;
  /** Lanes that were compared, in the order they were shown. */
  among: string[];
}

/** A remark about a run or one of its steps. */
export interface NoteRecord {
  type: 'note';
  id: string;
  runId: string;
  stepId: string | null;
  createdAt: string;
  text: string;
}

/** A line of a kind that this version does not know. */
export type UnknownRecord = JsonObject & { type: string };

/** Any line of a run between its header and its footer. */
export type TraceEntry = StepRecord | VoteRecord | NoteRecord | UnknownRecord;

/** Last line of a run. Without it the recording was cut off. */
export interface FooterRecord {
  type: 'footer';
  runId: string;
  /** Number of lines by type, header and footer left out. */
  counts: { [type: string]: number };
  /** SHA-256 in hex of the run's lines before this one, each with its line feed, in UTF-8. */
  sha256: string;
  /** True when the recording was found cut off at some time. */
  truncated?: boolean;
}

/** A whole run. `footer` is the one it was imported with, of which only unknown members matter; null for a new run. */
export interface TraceRun {
  header: RunHeader;
  entries: TraceEntry[];
  footer: FooterRecord | null;
}

/** True for the rows among the lines of a run. */
export function isStep(entry: TraceEntry): entry is StepRecord {
  return entry.type === 'step';
}
