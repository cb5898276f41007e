/** Small batches and sinks for the tests of this folder. */
import { resample } from '../../metrics';
import { TwinSimulator } from '../../twins';
import type { Json } from '../../world/json';
import { SaySimulator } from '../testing';
import type { Draws } from './detail';
import type { LabLane } from './job';
import type { LabJob } from './jobs';
import type { JobRecord, LabHeader, LabSink, LabStep } from './records';
import { readLabSpec, type LabSpec } from './spec';

/** A spec with the given members in place of these: two worlds of support, the twin and one that says nothing of use. */
export function specWith(members: { [key: string]: Json } = {}): LabSpec {
  return readLabSpec({
    worlds: { families: ['support'], seeds: [1, 2] },
    simulators: ['twin', { id: 'mute', kind: 'ar' }],
    agents: ['expert'],
    steps: 5,
    ...members,
  });
}

export const twin = (): LabLane => ({ simulator: new TwinSimulator(), options: { lane: 0 } });

/** Says that it did what was asked, and nothing else. */
export const mute = (): LabLane & { simulator: SaySimulator } => ({
  simulator: new SaySimulator(() => ({ observation: '{}', delta: '{}', status: 'ok' })),
  options: { lane: 2 },
});

/** A clock for headers that stands still, so that two sittings write the same. */
export const createdAt = (): string => '2026-01-02T03:04:05.000Z';

/** The record of a job, told by its steps: `1` exact, `0` not, `-` without truth. */
export function recordOf(job: LabJob, exact: string, more: Partial<JobRecord> = {}): JobRecord {
  const right = exact.split('1').length - 1;
  const judged = exact.replaceAll('-', '').length;
  return {
    type: 'job',
    job,
    steps: exact.length,
    done: false,
    progress: 0.5,
    real: true,
    exact,
    stateExact: exact,
    sums: { answerExact: [right, judged], leafF1: [right / 2, judged] },
    cost: { nfe: 2 * exact.length, generatedTokens: 10 * exact.length, answerTokens: 0 },
    failures: {},
    timings: { ms: 7 * exact.length, prefillMs: 0, forwardTokens: 0, prefillTokens: 0 },
    ...more,
  };
}

/** Resamples for the intervals of tests: few, so that they are quick. */
export const draws: Draws = (clusters) => resample(clusters, 300, 1);

/** A sink as lines of text, as a folder or a database would keep them: what it is given is not held. */
export class TextSink implements LabSink {
  readonly done = new Map<string, string>();
  #open: { id: string; lines: string[] } | null = null;

  /** Everything there is of finished jobs. */
  get text(): string {
    return [...this.done.values()].join('');
  }

  has({ id }: LabJob): boolean {
    return this.done.has(id);
  }

  begin({ id }: LabJob, header: LabHeader): void {
    this.#open = { id, lines: [JSON.stringify(header)] };
  }

  step(_job: LabJob, step: LabStep): void {
    this.#open?.lines.push(JSON.stringify(step));
  }

  end(record: JobRecord, header: LabHeader): void {
    const lines = [...(this.#open?.lines ?? []), JSON.stringify(header), JSON.stringify(record)];
    this.done.set(record.job.id, `${lines.join('\n')}\n`);
  }

  *records(): Generator<JobRecord> {
    for (const text of this.done.values()) yield JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as JobRecord;
  }
}
