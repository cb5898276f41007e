/** What the page shows of a run: plain data, whether it was just stepped or comes from the store. */
import { pointerKey } from '../world/checks';
import { isObject, type JsonObject } from '../world/json';
import type { Prediction } from '../world/simulator';
import type { Action, Context, Directive, Turn, World } from '../world/types';
import { agreement } from './compare';
import type { LaneId } from './hash';

/** Why a lane gave no answer. Of the machinery; a wrong answer is an answer. */
export interface LaneFailure {
  code: string;
  message: string;
  advice: string;
}

/** How a lane's model is doing (as in workers/client). */
export interface LaneStatus {
  phase: 'idle' | 'loading' | 'ready' | 'busy' | 'failed';
  progress?: { file: string; loadedBytes: number; totalBytes: number };
  info?: {
    id: string;
    provider: 'webgpu' | 'wasm';
    fallbackReason: string | null;
    adapter: string | null;
    dtype: string;
    runtime: 'terrarium' | 'transformers.js';
    parameters: number | null;
    version: string;
  };
  error?: LaneFailure;
}

/** One lane in one row. Exactly one of the two is there once the lane is through. */
export interface LaneResult {
  prediction: Prediction | null;
  failure: LaneFailure | null;
}

/** One action and what every lane made of it. */
export interface RowView {
  index: number;
  action: Action;
  directives: Directive[];
  results: { [lane: string]: LaneResult };
}

/** How lanes are called, by their id. */
export const LANE_TITLES: Record<LaneId, { title: string; line: string }> = {
  twin: { title: 'Twin', line: 'a program that knows the truth' },
  mdlm: { title: 'MDLM', line: 'masked diffusion, in parallel' },
  ar: { title: 'AR', line: 'autoregressive, left to right' },
  'ar-transformers': { title: 'AR', line: 'autoregressive, left to right' },
};

/** Title of any lane, also of one that a recorded run has and this page does not know. */
export function laneTitle(id: string): string {
  return Object.hasOwn(LANE_TITLES, id) ? LANE_TITLES[id as LaneId].title : id;
}

/**
 * What a lane's answer to row `upTo` is conditioned on: the start world and the lane's own turns before that row. Rows
 * in which the lane failed left no trace in it.
 */
export function contextOf(world: World, rows: readonly RowView[], lane: string, upTo = rows.length): Context {
  const history = rows.slice(0, upTo).flatMap((row): Turn[] => {
    const prediction = row.results[lane]?.prediction;
    if (!prediction) return [];
    const { action, directives } = row;
    return [{ directives, action, text: prediction.text, delta: prediction.transition.delta }];
  });
  return { world, history };
}

/** JSON Pointers of what a delta sets or removes, with the objects around it. */
export function changedPointers(delta: JsonObject): ReadonlySet<string> {
  return new Set(pointersOf(delta, ''));
}

function pointersOf(delta: JsonObject, path: string): string[] {
  return Object.entries(delta).flatMap(([key, value]) => {
    const here = `${path}/${pointerKey(key)}`;
    return isObject(value) ? [here, ...pointersOf(value, here)] : [here];
  });
}

/** A finished row in a sentence, for people who hear the page. */
export function describeRow(row: RowView): string {
  const truth = row.results['twin']?.prediction?.transition;
  const parts = Object.entries(row.results).map(([lane, result]) => {
    const title = laneTitle(lane);
    if (!result.prediction) return `${title} failed`;
    const { transition } = result.prediction;
    if (lane === 'twin' || !truth) return `${title} ${transition.status}`;
    return `${title} ${transition.status}, ${agreement(transition, truth).all ? 'same as' : 'differs from'} the twin`;
  });
  return `Step ${row.index + 1}: ${parts.join('; ')}.`;
}
