/** One lane of a rollout: a simulator, how it samples, and how its answers become records and back. */
import { holds, isDone, progress } from '../world/checks';
import type { Tokenizer } from '../world/codec';
import { emptyObject, isObject, type Json } from '../world/json';
import type { Draft, DraftToken, Prediction, Simulator, StepOptions } from '../world/simulator';
import { SLOTS, type State, type Task } from '../world/types';
import { describeError } from './errors';
import type { CheckRecord, LaneAnswer, LaneError, LaneResult, ModelRecord, SamplerRecord, TokenColumns } from './types';

/** Options that belong to a lane and not to a row. */
export type LaneOptions = Pick<StepOptions, 'lane' | 'temperature' | 'topP' | 'threshold'>;

/** A simulator in a rollout. Lanes run one after another, each on its own state and history ("lanes run free"). */
export interface Lane {
  id: string;
  simulator: Simulator;
  /** Missing ones are the project's defaults; `lane` defaults to the lane's place. */
  options?: Partial<LaneOptions>;
  /** Tokenizer of the lane's model, for the exact prompt; asked at every step, since models load late. */
  tokenizer?: () => Tokenizer | null;
  /** What runs in the lane right now; asked after every step, since a provider may have been given up in it. */
  model?: () => ModelRecord | null;
}

/** Called with every draft of a lane's answer in progress. */
export type OnDraft = (laneId: string, draft: Draft) => void;

const SLOT_NUMBER = { observation: 0, delta: 1, status: 2 } as const;

/** A copy that JSON can hold: numbers beyond the range of a double, which JSON.parse turns to Infinity, become null. */
function finite<T extends Json>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function isFinite(value: Json): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isFinite);
  return !isObject(value) || Object.values(value).every(isFinite);
}

/**
 * The record's part of a prediction. A delta with a number that JSON cannot hold (such as 1e999) counts as unparsable:
 * the state stays as it was, also after the record was stored and read again.
 */
export function answerOf(prediction: Prediction): Omit<LaneAnswer, 'kind' | 'sampler' | 'model' | 'prompt' | 'checks'> {
  const { transition, parseErrors } = prediction;
  const held = isFinite(transition.delta);
  return {
    seed: prediction.seed,
    text: { ...prediction.text },
    transition: {
      observation: finite(transition.observation as unknown as Json) as unknown as typeof transition.observation,
      delta: held ? finite(transition.delta) : emptyObject(),
      status: transition.status,
    },
    parseErrors: [
      ...parseErrors.map(({ slot, message }) => ({ slot, message })),
      ...(held ? [] : [{ slot: 'delta' as const, message: 'the delta contains a number that is too large' }]),
    ],
    tokens: tokenColumns(prediction.tokens),
    cost: { ...prediction.cost },
  };
}

/** Tokens in columns; confidences to six decimals. */
export function tokenColumns(tokens: readonly DraftToken[]): TokenColumns {
  const masked = tokens.flatMap((token, i) => (token.masked ? [i] : []));
  return {
    ids: tokens.map((token) => token.id),
    slot: tokens.map((token) => SLOT_NUMBER[token.slot]),
    // A model whose numbers broke down gives NaN, which JSON cannot hold: no confidence is what it had.
    confidence: tokens.map(({ confidence }) => (Number.isFinite(confidence) ? Math.round(confidence * 1e6) / 1e6 : 0)),
    pass: tokens.map((token) => token.pass),
    ...(masked.length > 0 ? { masked } : {}),
  };
}

/** Tokens of a record as they were drawn. */
export function tokensOf(columns: TokenColumns): DraftToken[] {
  const masked = new Set(columns.masked ?? []);
  return columns.ids.map((id, i) => ({
    slot: SLOTS[columns.slot[i] ?? 0] ?? 'observation',
    id,
    masked: masked.has(i),
    confidence: columns.confidence[i] ?? 0,
    pass: columns.pass[i] ?? 0,
  }));
}

/** The prediction of a recorded result, or null when the lane gave none. */
export function predictionOf(result: LaneResult | undefined): Prediction | null {
  if (result?.kind !== 'answer') return null;
  const { transition, text, parseErrors, cost, seed } = result;
  return { kind: 'prediction', transition, text, parseErrors, tokens: tokensOf(result.tokens), cost, seed };
}

/** The record of a failure of the machinery. */
export function failureOf(error: unknown, seed: number, sampler: SamplerRecord, model: number | null): LaneError {
  return { kind: 'error', seed, sampler, model, ...describeError(error) };
}

/** The task's checks on a state. */
export function checksOf(task: Task, state: State): CheckRecord {
  return {
    held: task.checks.map((check) => holds(check, state)),
    done: isDone(task, state),
    progress: progress(task, state),
  };
}
