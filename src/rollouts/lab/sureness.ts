/** Whether models are right as often as they are sure, from the confidences of the jobs. */
import {
  addCalibration,
  addJudged,
  calibrationOf,
  noCalibration,
  percentiles95,
  type Calibration,
  type CalibrationSums,
  type Interval,
} from '../../metrics';
import type { Draws } from './detail';
import { SURENESS, type JobRecord } from './records';

/** Calibration of an answer's confidence against "exactly the twin's answer", and of the status slot's against its status. */
export type SurenessTable = { [by in (typeof SURENESS)[number]]: Calibration & { interval: Interval | null } };

/** Bins of the reliability diagram, of equal width. */
export const BINS = 10;

type Sums = { [by in (typeof SURENESS)[number]]: CalibrationSums };
const noSums = (): Sums => ({
  mean: noCalibration(BINS),
  least: noCalibration(BINS),
  product: noCalibration(BINS),
  status: noCalibration(BINS),
});

/** Confidences of one simulator: sums by world, never an answer. */
export class Surenesses {
  readonly #worlds = new Map<string, Sums>();

  add({ job, exact, detail }: JobRecord): void {
    if (!detail) return;
    const world = `${job.family}/${job.worldSeed}/${job.difficulty}`;
    let sums = this.#worlds.get(world);
    if (!sums) this.#worlds.set(world, (sums = noSums()));
    for (const [step, sureness] of detail.sureness.entries()) {
      for (const by of SURENESS) {
        const mark = (by === 'status' ? detail.statusMatch : exact)[step];
        const confidence = sureness?.[by] ?? null;
        if (confidence === null || mark === undefined || mark === '-') continue;
        addJudged(sums[by], { confidence, correct: mark === '1' });
      }
    }
  }

  table(draws: Draws): SurenessTable {
    const worlds = [...this.#worlds.values()];
    const of = (by: keyof Sums) => {
      const total = noCalibration(BINS);
      for (const sums of worlds) addCalibration(total, sums[by]);
      return { ...calibrationOf(total), interval: interval(by) };
    };
    const interval = (by: keyof Sums): Interval | null => {
      // One world that has answers says nothing of the spread over worlds, whatever empty ones stand beside it.
      if (worlds.filter((sums) => !isEmpty(sums[by])).length < 2) return null;
      const errors = draws(worlds.length).flatMap((draw) => {
        const total = noCalibration(BINS);
        for (const i of draw) addCalibration(total, (worlds[i] as Sums)[by]);
        return calibrationOf(total).ece ?? [];
      });
      return percentiles95(errors);
    };
    return { mean: of('mean'), least: of('least'), product: of('product'), status: of('status') };
  }
}

function isEmpty({ n }: CalibrationSums): boolean {
  return n.every((here) => here === 0);
}
