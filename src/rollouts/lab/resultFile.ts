/**
 * `*.wmresult.json`: a result that can be handed on as one file (docs/formats/wmresult.md). It holds the spec, the models, a row
 * for each rollout, and the tables; whoever opens it computes the tables again from the rows and sees whether they are the same.
 */
import { get, isObject, parseJson, type Json } from '../../world/json';
import type { ModelInfo } from '../../models/info';
import { asJson } from '../records';
import { Aggregator, RESULTS_VERSION, type LabResults, type LabTimings } from './aggregate';
import { LabError } from './errors';
import { rounded } from './files';
import { expandJobs, type LabJob } from './jobs';
import type { JobRecord, JobSource, LabModels } from './records';
import { Checker, recordOfRow, rowOfRecord } from './resultRows';
import { readLabSpec, specHash, type LabSpec } from './spec';

/** Version of the format: another major is refused, a newer minor is warned about. */
export const RESULT_FILE_VERSION: readonly [number, number] = [1, 0];

/** A number that is not what the file says. */
export interface ResultDifference {
  /** JSON Pointer into the tables, such as `/results/simulators/ar/all/success/mean`. */
  path: string;
  stated: string;
  recomputed: string;
}

export interface OpenedResult {
  spec: LabSpec;
  models: LabModels;
  /** Tables as the file states them. */
  stated: { results: LabResults; timings: LabTimings };
  /** The same computed here from the rows. */
  recomputed: { results: LabResults; timings: LabTimings };
  /** Where both differ; empty when the tables are reproduced to the digit. */
  differences: ResultDifference[];
  warnings: string[];
}

/**
 * A result as the text of a file. Rows are taken one at a time, in the order of the batch.
 * @throws LabError `bad_record` for records that are out of order
 */
export async function writeResult(spec: LabSpec, records: JobSource, models: LabModels = {}): Promise<string> {
  const aggregator = new Aggregator(spec);
  const rows: string[] = [];
  let last = -1;
  for await (const record of records) {
    if (record.job.index <= last) {
      const what = `The rollout ${record.job.id} comes after one that stands behind it in the batch.`;
      throw new LabError('bad_record', what, 'Hand the records over in the order of the batch, each once.');
    }
    last = record.job.index;
    aggregator.add(record);
    rows.push(JSON.stringify(rowOfRecord(record)));
  }
  const { results, timings } = tablesOf(aggregator, models);
  const head = {
    ...{ format: 'wmresult', version: RESULT_FILE_VERSION, app: { name: 'terrarium', results: RESULTS_VERSION } },
    ...{ spec, specHash: specHash(spec), models },
  };
  const open = JSON.stringify(head).slice(0, -1);
  return `${open},\n"results":${JSON.stringify(results)},\n"timings":${JSON.stringify(timings)},\n"rows":[\n${rows.join(',\n')}\n]}\n`;
}

/**
 * Reads a result and computes its tables again.
 * @throws LabError `bad_record` or `bad_spec` that says where the file is wrong and what to do
 */
export function readResult(text: string): OpenedResult {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    throw new LabError('bad_record', `This is not a result file: it is not JSON (${parsed.error}).`, adviceFor(text));
  }
  const file = parsed.value;
  const warnings = checkHead(file);
  const { models, rows, results, timings } = file as unknown as Contents;
  const spec = specIn(file);
  const aggregator = new Aggregator(spec);
  for (const record of recordsIn(rows, spec)) aggregator.add(record);
  const stated = { results, timings };
  const recomputed = tablesOf(aggregator, models);
  return { spec, models, stated, recomputed, differences: differencesOf(stated, recomputed), warnings };
}

/** What to do about a text that is no JSON, by what it looks like. */
function adviceFor(text: string): string {
  const start = text.slice(0, 200).trimStart();
  if (start.startsWith('<')) return 'It is a page: the result is in the file that ends in .wmresult.json.';
  if (/^\{"type":\s*"header"/.test(start))
    return 'It is a recording (wmtrace): import it under Runs in the playground.';
  if (/^\{"format":\s*"wmresult"/.test(start))
    return 'It seems to be cut off or damaged: get the file again from whoever made it.';
  return 'Choose a file that ends in .wmresult.json; the lab writes one beside each report.';
}

/** Members of a file whose head was checked. */
interface Contents {
  models: LabModels;
  rows: Json[];
  results: LabResults;
  timings: LabTimings;
}

/** Tables with numbers of twelve significant digits, the same in every engine. */
function tablesOf(aggregator: Aggregator, models: LabModels) {
  return {
    results: rounded(aggregator.results(models)) as LabResults,
    timings: rounded(aggregator.timings()) as LabTimings,
  };
}

/** Checks everything but spec and rows; gives warnings. */
function checkHead(file: Json): string[] {
  const named = isObject(file) ? get(file, 'format') : undefined;
  if (named !== 'wmresult') {
    const lab = named === 'terrarium-lab' ? ' It is a results.json: its rows are in the file beside it.' : '';
    const advice = 'Choose a file that ends in .wmresult.json; the lab writes one beside each report.';
    throw new LabError(
      'bad_record',
      `This is not a result file: its format is ${JSON.stringify(named ?? null)}.${lab}`,
      advice,
    );
  }
  const top = new Checker(file, '');
  const isVersion = (x: unknown) => Array.isArray(x) && x.length === 2 && x.every((part) => Number.isInteger(part));
  top.check('version', isVersion, 'two whole numbers');
  const [major, minor] = (file as unknown as { version: [number, number] }).version;
  if (major !== RESULT_FILE_VERSION[0]) {
    const what = `The file has version ${major}.${minor} of the format, and this page reads ${RESULT_FILE_VERSION[0]}.`;
    throw new LabError('bad_record', what, 'Open it with the Terrarium it was made with, or run its spec again here.');
  }
  top.check('app', (x) => isObject(x) && typeof get(x, 'results') === 'number', 'who wrote it: name and results');
  top.check(
    'models',
    (x) => isObject(x) && Object.values(x).every(isModel),
    'an object of models or null by simulator',
  );
  top.check('rows', (x) => Array.isArray(x), 'a list of rows, one a rollout');
  top.check('results', isObject, 'the tables');
  top.check('timings', isObject, 'the timings');
  const warnings: string[] = [];
  const newer = minor > RESULT_FILE_VERSION[1];
  if (newer) warnings.push(`The file has version ${major}.${minor} of the format; what is new in it is not read.`);
  else {
    top.members('format', 'version', 'app', 'spec', 'specHash', 'models', 'results', 'timings', 'rows');
  }
  const tables = (file as unknown as { app: { results: number } }).app.results;
  if (tables !== RESULTS_VERSION) {
    warnings.push(
      `Its tables have version ${tables} and this page makes version ${RESULTS_VERSION}: what changed between them differs.`,
    );
  }
  return warnings;
}

function specIn(file: Json): LabSpec {
  const { spec: written, specHash: hash } = file as unknown as { spec: Json; specHash: string };
  const spec = readLabSpec(written ?? null);
  if (specHash(spec) === hash && specHash(written as unknown as LabSpec) === hash) return spec;
  const what = 'The result file cannot be read: its spec is not the one whose hash stands beside it.';
  throw new LabError('bad_record', what, 'Get the file again from whoever made it; a file changed by hand is refused.');
}

/** The records of the rows, each checked against the job at its place in the batch. */
function* recordsIn(rows: readonly Json[], spec: LabSpec): Generator<JobRecord> {
  const jobs = expandJobs(spec);
  let job: LabJob | undefined;
  for (const [i, row] of rows.entries()) {
    const place = `/rows/${i}`;
    const last = job?.index ?? -1;
    const what = `a place in the batch behind ${last}, since rows stand in its order`;
    const follows = (x: unknown) => Number.isInteger(x) && (x as number) > last;
    new Checker(row, place).check('job', follows, what);
    const index = (row as unknown as { job: number }).job;
    do job = jobs.next().value as LabJob | undefined;
    while (job && job.index < index);
    if (!job) new Checker(row, place).check('job', () => false, 'a place that the batch has');
    else yield recordOfRow(row, place, job);
  }
}

function isModel(x: unknown): boolean {
  if (x === null) return true;
  const texts: (keyof ModelInfo)[] = ['kind', 'version', 'runtime', 'provider'];
  return isObject(x) && texts.every((key) => typeof get(x, key) === 'string');
}

/** Every place at which two tables differ. */
export function differencesOf(stated: object, recomputed: object): ResultDifference[] {
  const out: ResultDifference[] = [];
  const walk = (a: Json | undefined, b: Json | undefined, path: string): void => {
    if (isObject(a) && isObject(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
        walk(get(a, key), get(b, key), `${path}/${key}`);
    } else if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
      a.forEach((item, i) => walk(item, b[i], `${path}/${i}`));
    } else if (JSON.stringify(a) !== JSON.stringify(b)) {
      out.push({ path, stated: shown(a), recomputed: shown(b) });
    }
  };
  walk(asJson(stated), JSON.parse(JSON.stringify(recomputed)) as Json, '');
  return out;
}

function shown(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
