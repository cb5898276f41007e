/** Has a model answer with a value pinned, and without it, and holds both against the twin's answer under that outcome. */
import { anchorResult, type Answer, type AnchorResult, type AnchorRow } from '../../metrics';
import { ModelError } from '../../models/errors';
import type { Pin } from '../../world/anchors';
import { hash32 } from '../../world/rng';
import { DEFAULT_STEP_OPTIONS, NO_COST, finishStep, type Simulator, type StepOptions } from '../../world/simulator';
import type { Transition } from '../../world/types';
import { OUTCOMES, casesOf, toldOf, type OutcomeKind } from './anchorCases';
import type { EvalStep } from '../trajectories';

/** An answer of a model in one case: with its pin, or the free one beside it. */
export interface AnchorAnswer extends AnchorRow {
  kind: OutcomeKind;
  step: EvalStep;
  pins: readonly Pin[];
  truth: Transition;
  pinned: boolean;
  answer: Answer | null;
  /** Why the pins were refused. */
  refused: string | null;
}

/** Sampling of a measurement; pins and directives are the cases'. */
export type AnchorSampling = Pick<StepOptions, 'seed' | 'temperature' | 'topP' | 'threshold'> & Partial<StepOptions>;

/**
 * The answers to one step: the free one, then for each of its cases that is asked for the free one again as that case's, and
 * one with the pin. Pins that a model refuses (they are too long for its window) are failures, as answers that lack them are.
 * @throws the signal's reason when aborted; whatever the simulator throws when its machinery fails
 */
export async function answerStep(
  simulator: Simulator,
  step: EvalStep,
  sampling: AnchorSampling,
  kinds: readonly OutcomeKind[] = OUTCOMES,
  signal?: AbortSignal,
): Promise<AnchorAnswer[]> {
  const out: AnchorAnswer[] = [];
  const options: StepOptions = {
    ...DEFAULT_STEP_OPTIONS,
    ...sampling,
    seed: hash32(sampling.seed, step.run),
    step: step.index,
    directives: toldOf(step),
  };
  const ask = (more: Partial<StepOptions>) =>
    finishStep(simulator.step(step.context, step.action, { ...options, ...more }, signal));
  const free = await ask({});
  for (const { kind, pins, truth } of casesOf(step, sampling.seed)) {
    if (!kinds.includes(kind)) continue;
    const shared = { kind, step, pins, truth, episode: String(step.run) };
    const result = resultOf(pins, truth, free);
    out.push({ ...shared, pinned: false, answer: free, result, selection: null, cost: free.cost, refused: null });
    try {
      const answer = await ask({ pins });
      const { selection = null, cost } = answer;
      const held = resultOf(pins, truth, answer);
      out.push({ ...shared, pinned: true, answer, result: held, selection, cost, refused: null });
    } catch (error) {
      if (!(error instanceof ModelError && error.code === 'bad_options')) throw error;
      const failed = { ...resultOf(pins, truth, NOTHING), consistent: false };
      const refused = error.message;
      out.push({ ...shared, pinned: true, answer: null, result: failed, selection: null, cost: NO_COST, refused });
    }
  }
  return out;
}

/** All steps in order, each as `answerStep` answers it. @throws what it throws */
export async function runAnchors(
  simulator: Simulator,
  steps: readonly EvalStep[],
  sampling: AnchorSampling,
  {
    kinds,
    signal,
    onStep,
  }: { kinds?: readonly OutcomeKind[]; signal?: AbortSignal; onStep?: (n: number) => void } = {},
): Promise<AnchorAnswer[]> {
  const out: AnchorAnswer[] = [];
  for (const [i, step] of steps.entries()) {
    signal?.throwIfAborted();
    out.push(...(await answerStep(simulator, step, sampling, kinds, signal)));
    onStep?.(i + 1);
  }
  return out;
}

/** No answer: nothing of the rest is right. */
const NOTHING: Answer = {
  transition: { observation: { kind: 'text', text: '' }, delta: {}, status: 'invalid_answer' },
  text: { observation: '', delta: '', status: '' },
  parseErrors: [{ slot: 'observation', message: 'there is no answer' }],
  cost: NO_COST,
};

function resultOf(pins: readonly Pin[], truth: Transition, answer: Answer): AnchorResult {
  const result = anchorResult(pins, truth, answer);
  if (!result) throw new RangeError(`a pin is no value of the truth: ${JSON.stringify(pins)}`);
  return result;
}
