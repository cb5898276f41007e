/** One model with one sampler: medians of what answers cost, and how many observations are the twin's. */
import { parseAnswer } from '../../world/codec';
import { median, summarize, type Interval } from '../../metrics';
import type { BenchAnswer } from '../../bench/protocol';
import type { EvalStep } from '../../rollouts/trajectories';
import { answered } from '../evaluate';
import { medianInterval } from './interval';
import type { BenchProvider } from './options';
import { transitionBound, type Bound, type Machine } from './roofline';
import { itemOf, type Folder } from './sample';

/** Medians over the timed transitions; exactness over those of `exactN`. */
export interface Setting {
  /** Wall milliseconds of a transition in the worker, a median over the timed transitions. */
  ms: number;
  nfe: number;
  observationExact: number;
  /** 95%, bootstrap over trajectories; Wilson where all answers are alike. */
  observationExactInterval: Interval | null;
  exactN: number;
  /** Where exactness was measured; tokens are compared with that provider's. */
  exactFrom: BenchProvider;
  /** Timed answers compared with those of `exactFrom`, and those with the same tokens; null where that is this one. */
  sameTokens: { compared: number; equal: number } | null;
  /** Timed transitions. */
  runs: number;
  /** About 95% interval of the median. */
  msInterval: Interval | null;
  /** MDLM: the pass over the prompt's new part. AR: until the first tokens are there, up to 16 of them on WebAssembly. */
  prefillMs: number;
  /** Milliseconds inside ONNX Runtime's `run`, its copies in and out included; the rest is JavaScript of the simulator. */
  graphMs: number;
  scriptMs: number;
  /** Calls of `run`. */
  graphRuns: number;
  /** Token positions of all passes: prefill (the former answer's commit pass is part of it) and denoising or decoding. */
  forwardTokens: number;
  prefillTokens: number;
  generatedTokens: number;
  promptTokens: number;
  /** Least time by the roofline; null where the machine is not known. */
  bound: Bound | null;
}

/** What later providers compare their answers with. */
export interface Reference {
  setting: Setting;
  /** Tokens of the timed answers. */
  ids: string[];
}

export type Exactness = Pick<Setting, 'observationExact' | 'observationExactInterval' | 'exactN'>;

/** Tokens of answers as texts that can be compared. */
export function idsOf(answers: readonly BenchAnswer[]): string[] {
  return answers.map(({ ids }) => ids.join());
}

/** How many observations are the twin's, among the answers to the first of the steps. */
export function exactnessOf(steps: readonly EvalStep[], answers: readonly BenchAnswer[]): Exactness {
  const rows = answers.map(({ text, cost }, i) => {
    return answered(steps[i] as EvalStep, { ...parseAnswer(text), text, cost }).row;
  });
  const { observationExact, intervals } = summarize(rows);
  const { bootstrap, wilson, sum, n } = intervals.observationExact;
  return {
    observationExact: observationExact ?? 0,
    observationExactInterval: sum === 0 || sum === n ? wilson : (bootstrap ?? wilson),
    exactN: rows.length,
  };
}

/**
 * Medians of timed answers.
 * @param answers to the first of the steps
 * @throws RangeError without an answer
 */
export function settingOf(
  kind: 'ar' | 'mdlm',
  steps: readonly EvalStep[],
  answers: readonly BenchAnswer[],
  facts: { folder: Folder; machine: Machine | null; seed: number },
): Omit<Setting, keyof Exactness | 'exactFrom' | 'sameTokens'> {
  const { folder, machine, seed } = facts;
  const of = (value: (answer: BenchAnswer, i: number) => number): number => {
    const middle = median(answers.map(value));
    if (middle === null) throw new RangeError('There is no answer to take a median of.');
    return middle;
  };
  const medians = {
    nfe: of(({ cost }) => cost.nfe),
    forwardTokens: of(({ cost }) => cost.forwardTokens),
    prefillTokens: of(({ cost }) => cost.prefillTokens),
    promptTokens: of((_, i) => folder.prompt(itemOf(steps[i] as EvalStep, seed)).length),
  };
  return {
    ms: of(({ cost }) => cost.ms),
    ...medians,
    runs: answers.length,
    msInterval: medianInterval(answers.map(({ cost }) => cost.ms)),
    prefillMs: of(({ cost }) => cost.prefillMs),
    graphMs: of(({ graphMs }) => graphMs),
    scriptMs: of(({ cost, graphMs }) => cost.ms - graphMs),
    graphRuns: of(({ graphRuns }) => graphRuns),
    generatedTokens: of(({ cost }) => cost.generatedTokens),
    bound: machine && transitionBound(kind, medians, folder.shape, machine),
  };
}
