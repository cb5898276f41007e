/** The files of a batch: the same bytes on the command line and in the page. */
import { canonical } from '../../world/json';
import type { ModelInfo } from '../../models/info';
import { asJson, type RunRecord } from '../records';
import { writeRun } from '../trace';
import type { LabResults, LabTimings } from './aggregate';
import type { LabModels } from './records';
import { htmlReport } from './report';
import type { LabSpec, SimulatorKind } from './spec';

/** Keys of the draws, those of the page's lanes and of `npm run rollout`: a simulator draws alike wherever it runs. */
export const DRAW_KEYS: { readonly [kind in SimulatorKind]: number } = { twin: 0, mdlm: 1, ar: 2, transformers: 2 };

/** Tables of a batch as texts, by file name. */
export function tableFiles(results: LabResults, timings: LabTimings) {
  const same = steady(results);
  return {
    'results.json': pretty(same),
    'timings.json': pretty(timings),
    'report.html': htmlReport(same, timings),
  };
}

/** Digits that are the same in every engine: ECMA-262 leaves the last bits of `Math.exp` and `Math.log` to each. */
const STEADY_DIGITS = 12;

/** Results with numbers of twelve significant digits, so that Node and every browser write the same bytes. */
export function steady(results: LabResults): LabResults {
  return rounded(results) as LabResults;
}

/** A value with all numbers in it of twelve significant digits. */
export function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(STEADY_DIGITS));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, rounded(part)]));
}

/** A spec as a file, to run again here or with `npm run lab`. */
export function specText(spec: LabSpec): string {
  return pretty(spec);
}

/** A finished job as lines of `steps.jsonl`. @throws RolloutError `not_finite` */
export function runText(run: RunRecord): Promise<string> {
  return writeRun(run);
}

/** The first simulator whose model is another than before, and what differs; null when all are the same. */
export function changedModel(before: LabModels, now: LabModels): { simulator: string; fields: string[] } | null {
  for (const [simulator, model] of Object.entries(now)) {
    const old = before[simulator] ?? null;
    const fields = fieldsOf(old, model).filter((name) => textOf(old?.[name]) !== textOf(model?.[name]));
    if (fields.length > 0) return { simulator, fields };
  }
  return null;
}

function fieldsOf(a: ModelInfo | null, b: ModelInfo | null): (keyof ModelInfo)[] {
  return [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])] as (keyof ModelInfo)[];
}

function textOf(value: unknown): string {
  return canonical(asJson({ value: value ?? null }));
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}
