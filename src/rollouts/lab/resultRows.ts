/** Rows of a result file: the records of the jobs, checked member by member before anything is computed from them. */
import { get, isObject, stringify, type Json } from '../../world/json';
import { LabError } from './errors';
import type { LabJob } from './jobs';
import { SURENESS, type JobRecord } from './records';

/** A record as a row: the job is its place in the batch, and its id says the same for people. */
export type ResultRow = Omit<JobRecord, 'type' | 'job'> & { job: number; id: string };

export function rowOfRecord({ type: _, job, ...rest }: JobRecord): ResultRow {
  return { job: job.index, id: job.id, ...rest };
}

/**
 * The record of a row.
 * @param place such as `/rows/3`, for messages
 * @param job the job at its place in the batch
 * @throws LabError `bad_record` that says where the row is wrong and what has to be there
 */
export function recordOfRow(row: Json, place: string, job: LabJob): JobRecord {
  const at = new Checker(row, place);
  at.check('id', (x) => x === job.id, `"${job.id}", the id of the rollout at this place of the batch`);
  at.check('steps', (x) => isWhole(x), 'a whole number');
  const { steps } = row as unknown as { steps: number };
  const yesNo = (x: unknown) => x === null || typeof x === 'boolean';
  at.check('done', yesNo, 'true, false or null');
  at.check('real', yesNo, 'true, false or null');
  at.check('progress', (x) => x === null || isShare(x), 'a share or null');
  const marks = (x: unknown) => typeof x === 'string' && x.length === steps && /^[01-]*$/.test(x);
  const marked = `a text of ${steps} characters 1, 0 and -, one a step`;
  at.check('exact', marks, marked);
  at.check('stateExact', marks, marked);
  at.check('sums', (x) => isObject(x) && Object.values(x).every(isPair), 'an object of pairs of sum and denominator');
  at.check('cost', numbers('nfe', 'generatedTokens', 'answerTokens'), 'nfe, generatedTokens and answerTokens');
  const times = ['ms', 'prefillMs', 'forwardTokens', 'prefillTokens'];
  at.check('timings', numbers(...times), times.join(', '));
  at.check('failures', (x) => isObject(x) && Object.values(x).every(isWhole), 'an object of counts by code');
  const known = ['job', 'id', 'steps', 'done', 'real', 'progress', 'exact', 'stateExact', 'sums', 'cost', 'timings'];
  // The command wrote the end of each run in its own folder into these files until 3 December 2026; it says nothing here.
  at.members(...known, 'failures', 'detail', 'stepsEnd');
  const { job: _, id: __, stepsEnd: ___, detail, ...rest } = row as unknown as ResultRow & { stepsEnd?: number };
  const record: JobRecord = { type: 'job', job, ...rest };
  if (detail === undefined) return record;
  const inside = new Checker(detail as unknown as Json, `${place}/detail`);
  inside.members('statusMatch', 'sureness', 'bleu1', 'first', 'texts');
  inside.check('statusMatch', marks, marked);
  inside.check(
    'sureness',
    (x) => Array.isArray(x) && x.length === steps && x.every(isSureness),
    `a list of ${steps} confidences (${SURENESS.join(', ')}) or null`,
  );
  inside.check('bleu1', (x) => Array.isArray(x) && x.length === 3 && x.every(isWhole), 'three counts');
  inside.check(
    'first',
    (x) => x === null || (isObject(x) && ['call', 'answer'].every((key) => typeof get(x, key) === 'string')),
    'null, or call and answer as texts',
  );
  inside.check(
    'texts',
    (x) => Array.isArray(x) && x.every((one: Json) => isText(one, steps)),
    'a list of {step, written, expected}',
  );
  return { ...record, detail };
}

/** Looks at members of an object and tells the first that is wrong. */
export class Checker {
  constructor(
    private readonly value: Json,
    private readonly place: string,
  ) {
    if (!isObject(value)) throw wrong(place || 'the file', value, 'an object');
  }

  check(key: string, holds: (value: unknown) => boolean, what: string): void {
    const found = isObject(this.value) ? get(this.value, key) : undefined;
    if (!holds(found)) throw wrong(`${this.place}/${key}`, found, what);
  }

  /** Refuses members that mean nothing here: a misspelt one would go unnoticed. */
  members(...known: string[]): void {
    const other = Object.keys(this.value as object).find((key) => !known.includes(key));
    if (other !== undefined)
      throw wrong(`${this.place}/${other}`, undefined, `left out; there are ${known.join(', ')}`);
  }
}

function wrong(place: string, found: Json | undefined, what: string): LabError {
  const text = found === undefined ? 'nothing that is known' : stringify(found);
  const short = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return new LabError(
    'bad_record',
    `The result file cannot be read: ${place} is ${short}, and has to be ${what}.`,
    'Get the file again from whoever made it, or run its spec again with npm run lab; a file changed by hand is refused.',
  );
}

function isFinite(x: unknown): x is number {
  return typeof x === 'number' && Number.isFinite(x);
}

function isWhole(x: unknown): boolean {
  return isFinite(x) && Number.isInteger(x) && x >= 0;
}

function isShare(x: unknown): boolean {
  return isFinite(x) && x >= 0 && x <= 1;
}

function isPair(x: unknown): boolean {
  return Array.isArray(x) && x.length === 2 && x.every(isFinite) && (x[1] as number) >= 0;
}

function numbers(...keys: string[]): (x: unknown) => boolean {
  return (x) => isObject(x) && keys.every((key) => isFinite(get(x, key)) && (get(x, key) as number) >= 0);
}

function isSureness(x: unknown): boolean {
  if (x === null) return true;
  return isObject(x) && SURENESS.every((by) => get(x, by) === null || isShare(get(x, by)));
}

function isText(x: Json, steps: number): boolean {
  if (!isObject(x)) return false;
  const step = get(x, 'step');
  return (
    isWhole(step) && (step as number) < steps && ['written', 'expected'].every((key) => typeof get(x, key) === 'string')
  );
}
