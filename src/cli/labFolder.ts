/** A batch in a folder: its records as files that grow line by line, and going on where they end. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { createReadStream, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { footerLine, traceLine } from '../rollouts';
import {
  changedModel,
  LabError,
  type JobRecord,
  type LabHeader,
  type LabJob,
  type LabModels,
  type LabSink,
  type LabSpec,
  type LabStep,
} from '../rollouts/lab';
import { asJson } from '../rollouts/records';
import { canonical } from '../world/json';

/** What the folder is for; it is checked before anything is added. */
const BATCH = 'batch.json';
/** A line a finished job, with the end of its run in `STEPS`. */
const JOBS = 'jobs.jsonl';
/** The runs one after another, in wmtrace. */
const STEPS = 'steps.jsonl';
const MADE = [BATCH, JOBS, STEPS, 'results.json', 'timings.json', 'report.html', 'results.wmresult.json'];

/** A job in `jobs.jsonl`. */
interface JobLine extends JobRecord {
  /** Bytes of `steps.jsonl` once the job was done: what stands behind the last job's was left by one that was cut off. */
  stepsEnd: number;
}

export class LabFolder implements LabSink {
  readonly #done: Set<string>;
  readonly #jobs: number;
  readonly #steps: number;
  #end: number;
  #at: number;
  /** Lines of the job under way, for the hash in its footer. */
  #lines: string[] = [];

  private constructor(
    private readonly path: string,
    done: Set<string>,
    end: number,
  ) {
    this.#done = done;
    this.#end = this.#at = end;
    this.#jobs = openSync(join(path, JOBS), 'a');
    this.#steps = openSync(join(path, STEPS), existsSync(join(path, STEPS)) ? 'r+' : 'w+');
    ftruncateSync(this.#steps, end);
  }

  /**
   * Opens a folder for a batch, new or begun.
   * @param fresh removes what an earlier batch left
   * @throws LabError `other_batch` when it holds another spec's results or those of other models; `bad_record`
   */
  static async open(path: string, spec: LabSpec, models: LabModels, fresh: boolean): Promise<LabFolder> {
    mkdirSync(path, { recursive: true });
    if (fresh) for (const name of MADE) rmSync(join(path, name), { force: true });
    const own = { spec, models };
    const file = join(path, BATCH);
    if (existsSync(file)) checkSame(path, JSON.parse(readFileSync(file, 'utf8')) as typeof own, own);
    else {
      const taken = MADE.find((name) => existsSync(join(path, name)));
      if (taken !== undefined) throw otherBatch(path, `a file ${taken} that is of no batch known`);
      writeWhole(file, `${JSON.stringify(own, null, 1)}\n`);
    }
    const done = new Set<string>();
    let end = 0;
    const last = await dropHalfLine(join(path, JOBS));
    if (last) {
      for await (const { job, stepsEnd } of jobLines(path)) {
        done.add(job.id);
        end = stepsEnd;
      }
    }
    return new LabFolder(path, done, end);
  }

  /** Jobs that are done. */
  get done(): number {
    return this.#done.size;
  }

  has({ id }: LabJob): boolean {
    return this.#done.has(id);
  }

  begin(_job: LabJob, header: LabHeader): void {
    ftruncateSync(this.#steps, this.#end);
    this.#at = this.#end;
    this.#lines = [];
    this.#line(traceLine(header));
  }

  step(_job: LabJob, step: LabStep): void {
    this.#line(traceLine(step));
  }

  async end(record: JobRecord): Promise<void> {
    this.#line(await footerLine(this.#lines));
    this.#lines = [];
    // The run is on the disk before the line that says so.
    fsyncSync(this.#steps);
    this.#end = this.#at;
    writeAll(this.#jobs, `${JSON.stringify({ ...record, stepsEnd: this.#end } satisfies JobLine)}\n`, null);
    this.#done.add(record.job.id);
  }

  /** The records in the order of the batch, one at a time. */
  async *records(): AsyncGenerator<JobRecord> {
    // Without the mark of this folder, which is no part of a record: files that are handed on would carry it.
    for await (const { stepsEnd: _, ...record } of jobLines(this.path)) yield record;
  }

  /** Writes a file of the batch; it is there whole or not at all. */
  write(name: string, text: string): void {
    writeWhole(join(this.path, name), text);
  }

  close(): void {
    closeSync(this.#jobs);
    closeSync(this.#steps);
  }

  #line(line: string): void {
    this.#lines.push(line);
    this.#at += writeAll(this.#steps, line, this.#at);
  }
}

function checkSame(path: string, there: { spec: LabSpec; models: LabModels }, own: typeof there): void {
  const same = (a: object, b: object) => canonical(asJson(a)) === canonical(asJson(b));
  if (!same(there.spec, own.spec)) throw otherBatch(path, 'the results of another spec');
  const changed = changedModel(there.models, own.models);
  if (changed) throw otherBatch(path, `results of another model for "${changed.simulator}"`);
}

function otherBatch(path: string, what: string): LabError {
  const advice = 'Name an empty folder with --out, or add --fresh to do everything again.';
  return new LabError('other_batch', `${path} holds ${what}.`, advice);
}

/** Cuts off a last line that has no end; says whether the file is there. */
async function dropHalfLine(file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  let [bytes, whole] = [0, 0];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const at = chunk.lastIndexOf(10);
    if (at >= 0) whole = bytes + at + 1;
    bytes += chunk.length;
  }
  if (whole < bytes) {
    const open = openSync(file, 'r+');
    ftruncateSync(open, whole);
    closeSync(open);
  }
  return true;
}

async function* jobLines(path: string): AsyncGenerator<JobLine> {
  const input = createReadStream(join(path, JOBS), 'utf8');
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number++;
    let record: JobLine;
    try {
      record = JSON.parse(line) as JobLine;
    } catch (error) {
      const what = `Line ${number} of ${join(path, JOBS)} cannot be read.`;
      throw new LabError('bad_record', what, 'Add --fresh to do everything again.', { cause: error });
    }
    yield record;
  }
}

function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}

/** Writes all of a text at a place (null: at the end), since one call may take only a part; gives its bytes. */
function writeAll(file: number, text: string, position: number | null): number {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    at += writeSync(file, bytes, at, bytes.length - at, position === null ? null : position + at);
  }
  return bytes.length;
}
