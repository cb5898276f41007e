/** Judging a step: the twin answers in the very situation the lane answered in, and the metrics compare. */
import { toRow, type Answer, type Row } from '../../metrics';
import { twinTransition } from '../../twins';
import { isDone } from '../../world/checks';
import { answerText, callText, visibleContext } from '../../world/codec';
import { currentState } from '../../world/codec/fold';
import { emptyObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import { NO_COST } from '../../world/simulator';
import type { Action, Context, Directive, State, Transition, World } from '../../world/types';
import type { LaneResult } from '../records';
import { LabError } from './errors';
import type { LabJob } from './jobs';
import type { LabVerdict } from './records';

/** A failure of the machinery as an answer: one that does not parse, which scores 0 everywhere. */
export const NO_ANSWER: Answer = {
  transition: { observation: { kind: 'text', text: '' }, delta: emptyObject(), status: '' },
  text: { observation: '', delta: '', status: '' },
  parseErrors: [{ slot: 'status', message: 'the machinery failed' }],
  cost: NO_COST,
};

/** A verdict with what it adds to the metrics; `row` is null without truth. */
export interface Judged {
  verdict: LabVerdict;
  row: Row | null;
}

/**
 * Judges what a lane made of an action in a context (of its own, or the twin's when it was teacher-forced).
 * @param known the twin's answer in this context where somebody asked for it already
 * @param onTrack whether the state is one the twin itself came to: then it has an answer, or a defect
 * @throws LabError `twin_failed` when it has none there
 */
export function judge(
  job: LabJob,
  context: Context,
  action: Action,
  directives: readonly Directive[],
  result: LaneResult,
  known: Transition | null,
  onTrack: boolean,
): Judged {
  const lane = job.simulator;
  let truth: Transition;
  let undirected: Transition | null;
  try {
    truth = known ?? twinTransition(context, action, directives);
    // What the directives changed is known beside the answer without them; where there are none, nothing is asked.
    undirected = directives.length > 0 ? twinTransition(context, action, []) : null;
  } catch (error) {
    if (onTrack) throw twinFailed(job, action, error);
    return { verdict: { lane, truth: null, noTruth: reasonOf(error), score: null }, row: null };
  }
  const row = toRow({
    episode: job.id,
    family: job.family,
    // What was shown: identifiers that a fold took away were not to be read any more.
    context: visibleContext(context, action, directives),
    action,
    directives,
    truth,
    ...(undirected ? { undirected } : {}),
    answer: result.prediction ?? NO_ANSWER,
  });
  return { verdict: { lane, truth, score: row.score }, row };
}

/** A twin that throws in a state of its own is wrong, and so would every number be that leaves the step out. */
function twinFailed({ id, family }: LabJob, action: Action, error: unknown): LabError {
  const what = `The twin of ${family} failed in ${id} on ${callText(action)}: ${reasonOf(error)}`;
  const advice = 'Report it with the spec, since it is a defect of the twin; leave the family out to go on without it.';
  return new LabError('twin_failed', what, advice, { cause: error });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Walks the twin along actions that were found elsewhere: do they do the task there too (WM2Real)? */
export class RealWalk {
  #context: Context;
  #state: State;
  #done: boolean;
  /** Whether the actions were found in the very history that the twin has here. */
  #together = true;

  constructor(
    world: World,
    private readonly job: LabJob,
  ) {
    this.#context = { world, history: [] };
    this.#state = currentState(this.#context);
    this.#done = isDone(world.task, this.#state);
  }

  /** Whether the task was done after any of the steps. */
  get done(): boolean {
    return this.#done;
  }

  /**
   * @param truth what the twin said where the action was found; as long as every answer there was exact, it holds here too
   * @param exact whether the answer there was exactly that
   * @throws LabError `twin_failed`
   */
  step(action: Action, directives: readonly Directive[], truth: Transition | null, exact: boolean): void {
    const { world, history } = this.#context;
    const transition = (this.#together ? truth : null) ?? this.#answer(action, directives);
    this.#together &&= exact;
    const turn = { directives: [...directives], action, text: answerText(transition), delta: transition.delta };
    this.#context = { world, history: [...history, turn] };
    this.#state = applyDelta(this.#state, transition.delta);
    this.#done ||= isDone(world.task, this.#state);
  }

  #answer(action: Action, directives: readonly Directive[]): Transition {
    try {
      return twinTransition(this.#context, action, directives);
    } catch (error) {
      throw twinFailed(this.job, action, error);
    }
  }
}
