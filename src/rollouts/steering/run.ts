/** Has a simulator answer a call under a directive, and gives the verdicts on it. */
import { collateralLeaves, toRow, verdicts, type Ratio } from '../../metrics';
import { answerText } from '../../world/codec';
import { formatDirective } from '../../world/directives';
import { hash32, hashText } from '../../world/rng';
import { DEFAULT_STEP_OPTIONS, type ParseError, type StepOptions } from '../../world/simulator';
import type { Action, SlotTexts } from '../../world/types';
import { LabError } from '../lab/errors';
import { NO_ANSWER } from '../lab/judge';
import { COUNTED_FAILURES, runLane, type Lane } from '../lane';
import type { LaneFailure } from '../records';
import type { DirectiveKind, SteeringCase } from './cases';

/** One answer under one directive, judged: plain data, without the context. */
export interface SteeringRecord {
  type: 'steering';
  simulator: string;
  family: string;
  worldSeed: number;
  difficulty: number;
  index: number;
  kind: DirectiveKind;
  /** In its one spelling. */
  directive: string;
  action: Action;
  /** The twin's answers under the directive, and without it. */
  truth: SlotTexts;
  undirected: SlotTexts;
  /** What was answered; null when there is none, for the reason in `failure`. */
  answer: SlotTexts | null;
  failure: LaneFailure | null;
  parseErrors: ParseError[];
  /** The directive was followed, and the answer is readable (metric `directiveCompliance`). */
  kept: boolean;
  /** What the directive leaves alone is as it was (metric `collateralKept`), with the paths of what is not. */
  collateral: Ratio;
  lost: string[];
  extra: string[];
  /** The whole answer is the twin's under the directive. */
  exact: boolean;
}

/**
 * One case in one lane. Failures that the answer brings about itself count as answers that follow nothing.
 * @param seed of the measurement; the draws of each case are keyed by it, the world and the step
 * @throws LabError `lane_failed` when the machinery failed otherwise; the signal's reason when aborted
 */
export async function answerCase(
  steered: SteeringCase,
  lane: Lane,
  seed: number,
  signal?: AbortSignal,
): Promise<SteeringRecord> {
  const { family, worldSeed, difficulty, index, directive, action, context, directed, undirected } = steered;
  const options: StepOptions = {
    ...DEFAULT_STEP_OPTIONS,
    ...lane.options,
    directives: [directive],
    seed: hash32(seed, hashText(family), worldSeed, difficulty),
    step: index,
  };
  const result = await runLane(lane, context, action, options, signal, undefined);
  const name = `${formatDirective(directive)} in ${family} ${worldSeed}`;
  if (!result)
    throw new LabError(
      'no_simulator',
      `${lane.id} does not answer in the worlds of ${family}.`,
      'Leave one of them out.',
    );
  const { failure } = result;
  if (failure && !COUNTED_FAILURES.has(failure.code)) {
    const what = `${lane.id} failed at ${name} (${failure.code}): ${failure.message}`;
    throw new LabError('lane_failed', what, `${failure.advice} What is done is kept on the page.`);
  }
  const answer = result.prediction ?? NO_ANSWER;
  const directives = [directive];
  const episode = `${family}/${worldSeed}/${difficulty}`;
  const row = toRow({ episode, family, context, action, directives, truth: directed, undirected, answer });
  const judged = { directives, directed, undirected, answer: answer.transition };
  const { lost, extra } = collateralLeaves(judged);
  return {
    ...{ type: 'steering', simulator: lane.id, family, worldSeed, difficulty, index, kind: directive.kind },
    ...{
      directive: formatDirective(directive),
      action,
      truth: answerText(directed),
      undirected: answerText(undirected),
    },
    answer: result.prediction?.text ?? null,
    failure,
    parseErrors: result.prediction?.parseErrors ?? [],
    kept: row.score.parseOk === 1 && verdicts(judged).every(({ kept }) => kept),
    collateral: row.parts.collateralKept,
    lost,
    extra,
    exact: row.score.answerExact === 1,
  };
}
