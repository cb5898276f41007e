/** Judging a step: the twin answers in the very situation the lane answered in, and the metrics compare. */
import { toRow, type Answer, type Row } from '../../metrics';
import { twinTransition } from '../../twins';
import { isDone } from '../../world/checks';
import { answerText, visibleContext } from '../../world/codec';
import { currentState } from '../../world/codec/fold';
import { emptyObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import { NO_COST } from '../../world/simulator';
import type { Action, Context, Directive, State, Transition, World } from '../../world/types';
import type { LaneResult } from '../records';
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
 */
export function judge(
  job: LabJob,
  context: Context,
  action: Action,
  directives: readonly Directive[],
  result: LaneResult,
  known: Transition | null,
): Judged {
  const lane = job.simulator;
  const truth = known ?? truthOf(context, action, directives);
  if (!truth) return { verdict: { lane, truth, score: null }, row: null };
  // What the directives changed is known beside the answer without them; where there are none, nothing is asked.
  const undirected = directives.length > 0 ? truthOf(context, action, []) : null;
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

/** The twin's answer, or null: a free lane may have brought its state into a form that the twin cannot execute. */
function truthOf(context: Context, action: Action, directives: readonly Directive[]): Transition | null {
  try {
    return twinTransition(context, action, directives);
  } catch {
    return null;
  }
}

/** Walks the twin along actions that were found elsewhere: do they do the task there too (WM2Real)? */
export class RealWalk {
  #context: Context;
  #state: State;
  #done: boolean;
  /** Whether the actions were found in the very history that the twin has here. */
  #together = true;

  constructor(world: World) {
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
   */
  step(action: Action, directives: readonly Directive[], truth: Transition | null, exact: boolean): void {
    const { world, history } = this.#context;
    const transition = (this.#together ? truth : null) ?? twinTransition(this.#context, action, directives);
    this.#together &&= exact;
    const turn = { directives: [...directives], action, text: answerText(transition), delta: transition.delta };
    this.#context = { world, history: [...history, turn] };
    this.#state = applyDelta(this.#state, transition.delta);
    this.#done ||= isDone(world.task, this.#state);
  }
}
