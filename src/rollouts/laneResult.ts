/** One lane's part of a row: what it is asked, its answer, and what is recorded of both. */
import type { ModelInfo } from '../models/info';
import { holds, isDone, progress } from '../world/checks';
import { canonical } from '../world/json';
import { applyDelta } from '../world/mergePatch';
import { DEFAULT_STEP_OPTIONS, type Draft, type StepOptions } from '../world/simulator';
import type { Action, Directive, World } from '../world/types';
import { runLane, type Lane } from './lane';
import { promptRecord } from './prompt';
import { asJson, contextAfter, stateAfter, type LaneResult, type SamplerRecord, type StepRecord } from './records';

/** What all lanes of a row are asked, and the models that the run knows so far. */
export interface Asked {
  world: World;
  /** Steps before this one. */
  branch: readonly StepRecord[];
  action: Action;
  /** Of this lane (`stepOptions`). */
  options: StepOptions;
  models: ModelInfo[];
}

/**
 * The options of a lane in a row. One action, one list of directives and one seed: a lane cannot set these apart.
 * @param key keys the lane's draws
 */
export function stepOptions(
  lane: Lane,
  key: number,
  sampling: Partial<StepOptions>,
  { directives, seed, step }: Pick<StepOptions, 'seed' | 'step'> & { directives: readonly Directive[] },
): StepOptions {
  return {
    ...DEFAULT_STEP_OPTIONS,
    lane: key,
    ...sampling,
    ...lane.options,
    directives: [...directives],
    seed,
    step,
  };
}

/**
 * Lets a lane answer, and gives its result with the models of the run, to which its own is added when it is new; null for a
 * lane that cannot answer in this world. A lane whose machinery fails has the failure as its result.
 * @throws the signal's reason when aborted
 */
export async function laneResult(
  lane: Lane,
  { world, branch, action, options, models: known }: Asked,
  signal: AbortSignal | undefined,
  onDraft: ((laneId: string, draft: Draft) => void) | undefined,
): Promise<{ result: LaneResult; models: ModelInfo[] } | null> {
  const context = contextAfter(world, branch, lane.id);
  const answer = await runLane(lane, context, action, options, signal, onDraft);
  if (answer === null) return null;
  const info = lane.model?.() ?? null;
  let models = known;
  let model = info ? models.findIndex((one) => same(one, info)) : null;
  if (info && model === -1) model = (models = [...models, info]).length - 1;
  const tokenizer = lane.tokenizer?.() ?? null;
  const { task } = world;
  const before = stateAfter(world, branch, lane.id);
  const state = answer.prediction ? applyDelta(before, answer.prediction.transition.delta) : before;
  const result: LaneResult = {
    ...answer,
    sampler: samplerRecord(options),
    model,
    prompt: tokenizer ? promptRecord(context, action, options.directives, tokenizer) : null,
    checks: task.checks.map((check) => holds(check, state)),
    progress: progress(task, state),
    done: isDone(task, state),
  };
  return { result, models };
}

/** Whether two records say the same, in whatever order their members stand. */
export function same(a: object, b: object): boolean {
  return canonical(asJson(a)) === canonical(asJson(b));
}

/** All that was set; directives and seed stand in the step itself. */
function samplerRecord({ directives: _, seed: __, ...sampler }: StepOptions): SamplerRecord {
  return Object.fromEntries(Object.entries(sampler).filter(([, value]) => value !== undefined)) as typeof sampler;
}
