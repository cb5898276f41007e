/** Sums of a job's steps while it runs: numbers, and the texts of the steps that are in the sample. */
import {
  answerConfidence,
  bleu1,
  rougeL,
  TEMPORAL_CHECKS,
  temporalChecks,
  type LaneStep,
  type Temporal,
} from '../../metrics';
import { answerText, callText, directivesText } from '../../world/codec';
import { hashText } from '../../world/rng';
import type { Prediction } from '../../world/simulator';
import type { Action, Directive, Tool } from '../../world/types';
import type { LaneResult } from '../records';
import type { LabJob } from './jobs';
import type { Judged } from './judge';
import type { JobDetail, JobRecord, Sum, Sureness } from './records';
import { keepsTexts } from './sample';
import type { LabSpec } from './spec';

/** How a job ended; null parts where the lane was teacher-forced. */
export interface JobEnd {
  done: boolean;
  progress: number;
  real: boolean;
  /** The lane's own steps, for what it says of itself over time. */
  lane: readonly LaneStep[];
  tools: readonly Tool[];
}

export class Tally {
  #steps = 0;
  #exact = '';
  #stateExact = '';
  readonly #sums: { [metric: string]: Sum } = {};
  readonly #failures: { [code: string]: number } = {};
  readonly #cost = { nfe: 0, generatedTokens: 0, answerTokens: 0 };
  readonly #timings = { ms: 0, prefillMs: 0, forwardTokens: 0, prefillTokens: 0 };
  readonly #detail: JobDetail = { statusMatch: '', sureness: [], bleu1: [0, 0, 0], first: null, texts: [] };

  constructor(
    private readonly spec: LabSpec,
    private readonly job: LabJob,
  ) {}

  /** Adds a step: how it was judged, and what was asked and answered. */
  add(judged: Judged, { prediction, failure }: LaneResult, action: Action, directives: readonly Directive[]): void {
    const { row } = judged;
    this.#detail.sureness.push(prediction ? surenessOf(prediction) : null);
    if (this.#steps === 0) this.#detail.first = firstOf(prediction, action, directives);
    this.#texts(judged, prediction);
    this.#steps++;
    this.#exact += row ? String(row.score.answerExact) : '-';
    this.#stateExact += row ? String(row.score.stateExact) : '-';
    this.#detail.statusMatch += row ? String(row.score.statusMatch) : '-';
    for (const [name, { sum, n }] of Object.entries(row?.parts ?? {})) this.#count(name, sum, n);
    if (row && row.score.changed > 0) this.#count(changedName(row.score.changed), row.score.deltaExact, 1);
    if (failure) this.#failures[failure.code] = (this.#failures[failure.code] ?? 0) + 1;
    if (!prediction) return;
    const { nfe, generatedTokens, forwardTokens, prefillTokens, ms, prefillMs } = prediction.cost;
    this.#cost.nfe += nfe;
    this.#cost.generatedTokens += generatedTokens;
    this.#cost.answerTokens += forwardTokens - prefillTokens;
    this.#timings.ms += ms;
    this.#timings.prefillMs += prefillMs;
    this.#timings.forwardTokens += forwardTokens;
    this.#timings.prefillTokens += prefillTokens;
  }

  /** The record of the job; how it ended is null when the lane was teacher-forced. */
  record(end: JobEnd | null): JobRecord {
    if (end) {
      const checks: Temporal = temporalChecks(end.tools, end.lane);
      for (const name of TEMPORAL_CHECKS) this.#count(`temporal ${name}`, checks[name].sum, checks[name].n);
    }
    return {
      type: 'job',
      job: this.job,
      steps: this.#steps,
      done: end?.done ?? null,
      progress: end?.progress ?? null,
      real: end?.real ?? null,
      exact: this.#exact,
      stateExact: this.#stateExact,
      sums: this.#sums,
      cost: this.#cost,
      failures: this.#failures,
      timings: this.#timings,
      detail: this.#detail,
    };
  }

  #count(name: string, sum: number, n: number): void {
    const sums = (this.#sums[name] ??= [0, 0]);
    sums[0] += sum;
    sums[1] += n;
  }

  /** Text overlap of a step with truth; where the machinery failed, an empty text counts. */
  #texts({ verdict: { truth } }: Judged, prediction: Prediction | null): void {
    if (!truth) return;
    const [written, expected] = [prediction?.text.observation ?? '', answerText(truth).observation];
    const { counts, hypothesisLength, referenceLength } = bleu1([{ hypothesis: written, references: [expected] }]);
    [counts[0] ?? 0, hypothesisLength, referenceLength].forEach((n, i) => {
      this.#detail.bleu1[i] = (this.#detail.bleu1[i] ?? 0) + n;
    });
    this.#count('rougeL', rougeL(expected, written).f1, 1);
    if (keepsTexts(this.spec, this.job, this.#steps)) this.#detail.texts.push({ step: this.#steps, written, expected });
  }
}

/** Name of the sum for steps whose true delta changes so many fields (1 or more). */
export function changedName(fields: number): string {
  return `changed ${fields < 5 ? fields : '5+'}`;
}

function surenessOf({ tokens }: Prediction): Sureness | null {
  const all = answerConfidence(tokens, 'mean');
  if (all === null) return null;
  const status = tokens.filter(({ slot }) => slot === 'status');
  return {
    mean: six(all),
    least: six(answerConfidence(tokens, 'least')),
    product: six(answerConfidence(tokens, 'product')),
    status: six(answerConfidence(status, 'product')),
  };
}

function six(x: number | null): number | null {
  return x === null ? null : Math.round(x * 1e6) / 1e6;
}

function firstOf(prediction: Prediction | null, action: Action, directives: readonly Directive[]): JobDetail['first'] {
  const { observation, delta, status } = prediction?.text ?? { observation: '', delta: '', status: '' };
  const hash = (...parts: string[]) => hashText(parts.join('\n')).toString(16).padStart(8, '0');
  return { call: hash(directivesText(directives), callText(action)), answer: hash(observation, delta, status) };
}
