/** What the page shows of a run: plain data, whether it was just stepped or comes from the store. */
import { pointerKey } from '../world/checks';
import type { Pin } from '../world/anchors';
import { isObject, type JsonObject } from '../world/json';
import type { BranchSummary, LaneResult, RunOrigin } from '../rollouts';
import type { Action, Directive, Tool } from '../world/types';
import { agreement } from './compare';
import { laneKind, type LaneId } from './lanes';
import { recordedPins } from './pins/pins';
import { count } from './text';

/** What the page shows of one lane's part in a row. */
export type ResultView = Pick<LaneResult, 'prediction' | 'failure'> & Partial<LaneResult>;

/** One action and what every lane made of it; a recorded step is one. */
export interface RowView {
  index: number;
  action: Action;
  directives: Directive[];
  results: { [lane: string]: ResultView };
}

/** How lanes are called, by their id. */
export const LANE_TITLES: Record<LaneId, { title: string; line: string }> = {
  twin: { title: 'Twin', line: 'a program that knows the truth' },
  mdlm: { title: 'MDLM', line: 'masked diffusion, in parallel' },
  ar: { title: 'AR', line: 'autoregressive, left to right' },
  'ar-transformers': { title: 'AR tf.js', line: 'autoregressive, left to right, by transformers.js' },
};

/** Title of any lane, also of one that a recorded run has and this page does not know. */
export function laneTitle(id: string): string {
  const kind = laneKind(id);
  if (!kind) return id;
  const { title } = LANE_TITLES[kind.model];
  return kind.n === 1 ? title : `${title} ${kind.n}`;
}

/** Pins that the lanes of a row were asked to have; the twin is asked for none. */
export function rowPins(row: RowView): Pin[] {
  const asked = Object.values(row.results).map(({ sampler }) => recordedPins(sampler));
  return asked.find((pins) => pins.length > 0) ?? [];
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

/** How many of the rows call a tool that may change something: the measure that a task's `par` is in. */
export function changingCalls(rows: readonly Pick<RowView, 'action'>[], tools: readonly Tool[]): number {
  const changes = (name: string) => tools.some((tool) => tool.name === name && tool.annotations?.readOnlyHint !== true);
  return rows.filter(({ action }) => 'tool' in action && changes(action.tool)).length;
}

/** The branch with this place in its run, in a few words: `branch 2 off step 3, 5 steps`. */
export function describeBranch({ steps, off }: BranchSummary, i: number): string {
  const whose = off && off.branch > 0 ? ` of branch ${off.branch + 1}` : '';
  const where = off === null ? '' : off.shared === 0 ? ' from the start' : ` off step ${off.shared}${whose}`;
  return `branch ${i + 1}${where}, ${count(steps, 'step')}`;
}

/** Where a run came from that goes on from an edited world of another. */
export interface Origin {
  id: string;
  step?: string;
  /** `edited after step 3 of Support, seed 2`. */
  text: string;
  /** Title of the other run; null when it is not in this browser. */
  title: string | null;
}

/** The origin of a run, looked up among the runs that are here; null for a run that began by itself. */
export function originOf(from: RunOrigin | undefined, runs: readonly { id: string; title: string }[]): Origin | null {
  if (!from) return null;
  const title = runs.find(({ id }) => id === from.run)?.title ?? null;
  const text = `edited after step ${from.index} of ${title ?? 'a run that is not here'}`;
  return { id: from.run, ...(from.step === null ? {} : { step: from.step }), text, title };
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
