/** Walks trajectories of a split and has simulators answer every step, teacher-forced on the twin's history. */
import { toRow, type Answer, type Row } from '../metrics';
import { twinTransition } from '../twins';
import { answerText, SLOT_SIZES, type Tokenizer } from '../world/codec';
import { hash32 } from '../world/rng';
import {
  DEFAULT_STEP_OPTIONS,
  finishStep,
  type ConstraintRecord,
  type Simulator,
  type StepOptions,
} from '../world/simulator';
import { SLOTS, type Slot } from '../world/types';
import { trajectory, type EvalStep, type Split } from '../rollouts/trajectories';

/** A step with what a simulator answered. */
export interface Answered {
  step: EvalStep;
  answer: Answer;
  row: Row;
  /** What a constraint did to the answer, where there was one. */
  constraint?: ConstraintRecord;
}

/** Sampler settings of an evaluation; see `StepOptions`. */
export type Sampling = Pick<StepOptions, 'seed' | 'temperature' | 'topP' | 'threshold'> &
  Pick<Partial<StepOptions>, 'sampler' | 'blockSize' | 'crop' | 'minP' | 'guidance' | 'bestOf' | 'constraint'>;

/**
 * The first n steps of a split, whole trajectories one after another (the last one may be cut). Nothing is left out:
 * answers that no trained window can hold count as well.
 * @throws RangeError for a seed or a number of steps the split does not have
 */
export async function collectSteps(split: Split, n: number, seed: number): Promise<EvalStep[]> {
  const out: EvalStep[] = [];
  for (let run = 0; out.length < n; run++) {
    const { family, behaviour, steps } = await trajectory(split, run, seed);
    for (const [index, { directives, action, context, transition }] of steps.slice(0, n - out.length).entries()) {
      out.push({ run, index, family, behaviour, directives, action, context, truth: transition });
    }
  }
  return out;
}

/** Number of steps whose true answer has a slot that is longer than the largest trained window. */
export function countOverLayout(steps: readonly EvalStep[], tokenizer: Tokenizer): number {
  const most = (slot: Slot) => Math.max(...SLOT_SIZES[slot]) - 1;
  return steps.filter(({ truth }) => {
    const text = answerText(truth);
    return SLOTS.some((slot) => tokenizer.encode(text[slot]).length > most(slot));
  }).length;
}

/** Sums of what a constraint did over all answers. */
export interface ConstraintSums {
  /** Answers that were held to a schema, and those of them in which it changed a token. */
  applied: number;
  changed: number;
  /** Tokens the model wrote in those answers, and those that would have been others. */
  written: number;
  fired: number;
}

/** What a constraint did to the answers; null where there was none. */
export function constraintSums(answers: readonly Answered[]): ConstraintSums | null {
  const records = answers.flatMap(({ constraint }) => (constraint ? [constraint] : []));
  if (records.length === 0) return null;
  const total = (counts: ConstraintRecord['fired']) => SLOTS.reduce((sum, slot) => sum + counts[slot], 0);
  return {
    applied: records.filter(({ applied }) => applied).length,
    changed: records.filter(({ fired }) => total(fired) > 0).length,
    written: records.reduce((sum, { written }) => sum + total(written), 0),
    fired: records.reduce((sum, { fired }) => sum + total(fired), 0),
  };
}

/** Scores one answer for the tables. */
export function answered(step: EvalStep, answer: Answer): Answered {
  const { family, context, action, directives, truth } = step;
  // What the twin says without directives: the yardstick of compliance and of collateral change.
  const undirected = directives.length > 0 ? { undirected: twinTransition(context, action, []) } : {};
  const row = toRow({ episode: String(step.run), family, context, action, directives, truth, answer, ...undirected });
  return { step, answer, row };
}

/**
 * Has a simulator answer every step in order, so that its prefix cache holds what the steps of a trajectory share. Draws of
 * different trajectories differ: the seed of each is a hash of the evaluation's seed and its number.
 * @throws the signal's reason when aborted; whatever the simulator throws when its machinery fails
 */
export async function evaluate(
  simulator: Simulator,
  steps: readonly EvalStep[],
  sampling: Sampling,
  { signal, onAnswer }: { signal?: AbortSignal; onAnswer?: (done: number, last: Answered) => void } = {},
): Promise<Answered[]> {
  const out: Answered[] = [];
  for (const step of steps) {
    signal?.throwIfAborted();
    const options: StepOptions = {
      ...DEFAULT_STEP_OPTIONS,
      ...sampling,
      seed: hash32(sampling.seed, step.run),
      step: step.index,
      directives: step.directives,
    };
    const prediction = await finishStep(simulator.step(step.context, step.action, options, signal));
    const { constraint } = prediction;
    const last = { ...answered(step, prediction), ...(constraint ? { constraint } : {}) };
    out.push(last);
    onAnswer?.(out.length, last);
  }
  return out;
}
