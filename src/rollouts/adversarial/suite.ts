/** Runs scenarios in simulators and gives verdicts. One loop for the page and the command line. */
import { pause } from '../../models/pause';
import { hash32, hashText } from '../../world/rng';
import { answerText } from '../../world/codec';
import { DEFAULT_STEP_OPTIONS, type StepOptions } from '../../world/simulator';
import { runLane, type Lane } from '../lane';
import type { LaneFailure } from '../records';
import { FAILURE_NAMES } from './failures';
import { judge, verdictOf, type Answer } from './judge';
import { play } from './play';
import { SCENARIO_KINDS } from './registry';
import { kindOf, makeAdversarial } from './scenario';
import type { PlayedStep, Scenario, ScenarioResult } from './types';

/** Sampler settings; see `StepOptions`. */
export type Sampling = Partial<Omit<StepOptions, 'directives' | 'step'>>;

export interface SuiteOptions {
  /** Names of kinds; all of them unless told. */
  kinds?: readonly string[];
  /** Scenarios of each kind. */
  seeds: number;
  /** Seed of the first (1). */
  firstSeed?: number;
  /** Families the scenarios may be set in; all of them unless told. */
  families?: readonly string[];
  sampling?: Sampling;
  signal?: AbortSignal;
  onProgress?: (progress: SuiteProgress) => void;
}

export interface SuiteProgress {
  /** Scenarios done, all simulators together, and how many there will be. */
  done: number;
  total: number;
  last: ScenarioResult;
}

/**
 * Every scenario in every lane, one after another, each result as it comes; what a lane sets apart in its options holds over
 * `sampling`. Who does not ask for the next result lets the suite pause.
 * @param options `skip` leaves out as many results from the beginning, those of an earlier sitting
 * @throws RangeError for an unknown kind or family; the signal's reason when aborted. A lane whose machinery fails has
 * `no_answer` there and goes on.
 */
export async function* suiteResults(
  lanes: readonly Lane[],
  options: Omit<SuiteOptions, 'onProgress'> & { skip?: number },
): AsyncGenerator<SuiteProgress> {
  const { seeds, firstSeed = 1, families, sampling = {}, signal, skip = 0 } = options;
  const kinds = options.kinds?.map(kindOf) ?? SCENARIO_KINDS;
  const total = kinds.length * seeds * lanes.length;
  let done = 0;
  for (const kind of kinds) {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      if (done + lanes.length <= skip) {
        done += lanes.length;
        continue;
      }
      await pause(signal);
      const scenario = makeAdversarial(kind, seed, families);
      const steps = play(scenario);
      for (const lane of lanes) {
        if (++done <= skip) continue;
        yield { done, total, last: await runScenario(scenario, lane, sampling, signal, steps) };
      }
    }
  }
}

/** All of them at once. @throws what `suiteResults` throws */
export async function runSuite(lanes: readonly Lane[], options: SuiteOptions): Promise<ScenarioResult[]> {
  const out: ScenarioResult[] = [];
  for await (const progress of suiteResults(lanes, options)) {
    out.push(progress.last);
    options.onProgress?.(progress);
  }
  return out;
}

/**
 * One scenario in one lane, teacher-forced on the twin's history.
 * @throws the signal's reason when aborted
 */
export async function runScenario(
  scenario: Scenario,
  lane: Lane,
  sampling: Sampling = {},
  signal?: AbortSignal,
  steps: readonly PlayedStep[] = play(scenario),
): Promise<ScenarioResult> {
  const answers: (Answer | null)[] = [];
  const breakdowns: (LaneFailure | null)[] = [];
  const seed = hash32(sampling.seed ?? DEFAULT_STEP_OPTIONS.seed, hashText(scenario.kind), scenario.seed);
  for (const [step, { context, action, directives }] of steps.entries()) {
    signal?.throwIfAborted();
    const options: StepOptions = { ...DEFAULT_STEP_OPTIONS, ...sampling, ...lane.options, directives, seed, step };
    const result = await runLane(lane, context, action, options, signal, undefined);
    answers.push(result?.prediction ?? null);
    breakdowns.push(result === null ? UNSUPPORTED : result.failure);
  }
  const found = judge(steps, answers);
  const failures = FAILURE_NAMES.filter((name) => found.some((names) => names.includes(name)));
  const { kind, family } = scenario;
  return {
    ...{ kind, seed: scenario.seed, family, simulator: lane.id, verdict: verdictOf(failures), failures },
    steps: steps.map(({ action, directives, truth }, i) => ({
      action,
      directives,
      edited: scenario.steps[i]?.edit !== undefined,
      truth: answerText(truth),
      answer: answers[i]?.text ?? null,
      parseErrors: answers[i]?.parseErrors ?? [],
      failures: found[i] ?? [],
      breakdown: breakdowns[i] ?? null,
    })),
  };
}

const UNSUPPORTED: LaneFailure = {
  code: 'unsupported',
  message: 'The simulator does not answer in this world.',
  advice: 'Choose another simulator, or families that it knows.',
};
