/** `wmtrace`: runs as JSON lines, written and read (docs/formats/wmtrace.md). */
import { emptyObject, get, isObject, parseJson, stringify, type JsonObject } from '../world/json';
import { RolloutError } from './errors';
import {
  asJson,
  findNonFinite,
  TRACE_VERSION,
  type OtherRecord,
  type RunHeader,
  type RunRecord,
  type StepRecord,
  type TraceRecord,
} from './records';
import { headerComplaint, stepComplaint } from './shape';

/**
 * One record as a line, line break included.
 * @throws RolloutError `not_finite` for NaN and Infinity, which JSON cannot write
 */
export function traceLine(record: object): string {
  const bad = findNonFinite(record);
  if (bad !== null) {
    throw new RolloutError('not_finite', `The record has a value that is no number at ${bad}.`, 'Leave the run out.');
  }
  return `${stringify(asJson(record))}\n`;
}

/** The footer of the lines of a run: how many records of each type, and the SHA-256 of everything before it. */
export async function footerLine(lines: readonly string[], extra: JsonObject = {}): Promise<string> {
  const counts = emptyObject() as { [type: string]: number };
  for (const line of lines) {
    const type = typeOf(line);
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return traceLine({ type: 'footer', counts, sha256: await hash(lines.join('')), ...extra });
}

/** Text of one run: header, records in their order, footer. */
export async function writeRun(run: RunRecord): Promise<string> {
  const lines = runLines(run);
  return lines.join('') + (await footerLine(lines, run.footer));
}

/** Several runs one after another; each has a header and a footer of its own. */
export async function writeTrace(runs: readonly RunRecord[]): Promise<string> {
  return (await Promise.all(runs.map(writeRun))).join('');
}

/** Whether two runs say the same, footers aside. */
export function sameRun(a: RunRecord, b: RunRecord): boolean {
  return runLines(a).join('') === runLines(b).join('');
}

function runLines(run: RunRecord): string[] {
  return [run.header, ...run.records].map(traceLine);
}

/** What a file held. `warnings` are sentences for people. */
export interface Trace {
  runs: RunRecord[];
  warnings: string[];
}

/**
 * Reads the text of a `wmtrace` file: one or more runs. Types and keys that are not known here are kept.
 * @throws RolloutError `not_wmtrace`, `wrong_version`, `bad_line` or `changed`; the message names the line
 */
export async function readTrace(text: string): Promise<Trace> {
  const reader = new Reader();
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const last = lines.length - 1;
  for (const [i, raw] of lines.entries()) {
    const line = raw.replace(/\r$/, '');
    if (line.trim() === '') continue;
    // A recorder that was cut off leaves half a line without a line break.
    if (i === last && reader.isOpen && !parseJson(line).ok) reader.warnBroken(i + 1);
    else await reader.take(line, i + 1);
  }
  return reader.end();
}

class Reader {
  private readonly runs: RunRecord[] = [];
  private readonly warnings: string[] = [];
  private run: RunRecord | null = null;
  private lines: string[] = [];
  private steps = new Map<string, number>();

  get isOpen(): boolean {
    return this.run !== null;
  }

  async take(line: string, number: number): Promise<void> {
    const record = parseLine(line, number, this.runs.length === 0 && this.run === null);
    const type = get(record, 'type');
    if (typeof type !== 'string') throw badLine(number, 'it has no "type"');
    if (type === 'header') {
      this.close();
      this.open(record, number);
    } else if (this.run === null) {
      const what = this.runs.length === 0 ? 'the first line is not a header' : `"${type}" stands after a footer`;
      throw this.runs.length === 0 ? notWmtrace(number, what) : badLine(number, what);
    } else if (type === 'footer') {
      await this.foot(record, number);
      return;
    } else {
      if (type === 'step') this.checkStep(record, this.run.header, number);
      this.run.records.push(record as unknown as TraceRecord);
    }
    this.lines.push(`${line}\n`);
  }

  warnBroken(number: number): void {
    this.warnings.push(`Line ${number} breaks off in the middle and was left out.`);
  }

  end(): Trace {
    this.close();
    if (this.runs.length === 0) throw notWmtrace(1, 'the file is empty');
    return { runs: this.runs, warnings: this.warnings };
  }

  private open(record: JsonObject, number: number): void {
    if (get(record, 'format') !== 'wmtrace') throw notWmtrace(number, 'its "format" is not "wmtrace"');
    const version = get(record, 'version');
    const [major, minor] = Array.isArray(version) ? version : [];
    if (!Number.isInteger(major) || !Number.isInteger(minor)) throw badLine(number, '/version is not [major, minor]');
    if (major !== TRACE_VERSION[0]) {
      throw new RolloutError(
        'wrong_version',
        `Line ${number}: the trace has version ${String(major)}.${String(minor)}; this is a reader of version ${TRACE_VERSION[0]}.`,
        (major as number) > TRACE_VERSION[0]
          ? 'Open it with a newer Terrarium.'
          : 'Open it with the Terrarium it was written by.',
      );
    }
    if ((minor as number) > TRACE_VERSION[1]) {
      const minors = `${String(major)}.${String(minor)}`;
      this.warnings.push(`Line ${number}: version ${minors} is newer than this page; what it does not know is kept.`);
    }
    const complaint = headerComplaint(record);
    if (complaint !== null) throw badLine(number, complaint);
    const header = record as unknown as RunHeader;
    if (this.runs.some((run) => run.header.id === header.id)) {
      throw badLine(number, `the run "${header.id}" stands in the file twice`);
    }
    this.run = { header, records: [] };
    this.lines = [];
    this.steps = new Map();
  }

  private checkStep(record: JsonObject, header: RunHeader, number: number): void {
    const complaint = stepComplaint(record);
    if (complaint !== null) throw badLine(number, complaint);
    const step = record as unknown as StepRecord;
    if (step.runId !== header.id) throw badLine(number, `the step belongs to the run "${step.runId}"`);
    if (this.steps.has(step.id)) throw badLine(number, `there are two steps "${step.id}"`);
    const parent = step.parentId === null ? -1 : this.steps.get(step.parentId);
    if (parent === undefined) throw badLine(number, `its parent "${String(step.parentId)}" does not stand before it`);
    if (step.index !== parent + 1) throw badLine(number, `its index is ${step.index} and should be ${parent + 1}`);
    for (const [lane, { model }] of Object.entries(step.results)) {
      if (model !== null && model >= header.models.length) {
        throw badLine(number, `lane "${lane}" names model ${model}, and the header has ${header.models.length}`);
      }
    }
    this.steps.set(step.id, step.index);
  }

  private async foot(record: JsonObject, number: number): Promise<void> {
    const { type: _type, counts: _counts, sha256, ...extra } = record;
    if (sha256 !== (await hash(this.lines.join('')))) {
      throw new RolloutError(
        'changed',
        `Line ${number}: the lines before the footer are not the ones that were exported (their SHA-256 differs).`,
        'Get the file again. If the change is meant, delete the footer line; the run is then marked as truncated.',
      );
    }
    if (this.run && Object.keys(extra).length > 0) this.run.footer = extra;
    this.push();
  }

  /** Ends a run that has no footer, if one is open. */
  private close(): void {
    if (!this.run) return;
    const { title, id } = this.run.header;
    this.warnings.push(`The run "${title}" (${id}) has no footer: its recording broke off, and it may lack steps.`);
    this.run.footer = { truncated: true };
    this.push();
  }

  private push(): void {
    if (this.run) this.runs.push(this.run);
    this.run = null;
  }
}

function parseLine(line: string, number: number, isFirst: boolean): JsonObject {
  const parsed = parseJson(line);
  if (!parsed.ok) {
    throw isFirst ? notWmtrace(number, `it is not JSON: ${parsed.error}`) : badLine(number, parsed.error);
  }
  if (!isObject(parsed.value)) throw badLine(number, 'it is not a JSON object');
  return parsed.value;
}

function typeOf(line: string): string {
  return (JSON.parse(line) as OtherRecord).type;
}

function notWmtrace(number: number, what: string): RolloutError {
  const advice = 'Choose a file that Terrarium exported (*.wmtrace.jsonl).';
  return new RolloutError('not_wmtrace', `This is not a wmtrace file (line ${number}): ${what}.`, advice);
}

function badLine(number: number, what: string): RolloutError {
  const advice = 'Nothing was imported. Correct the line, or export the file again.';
  return new RolloutError('bad_line', `Line ${number} cannot be read: ${what}.`, advice);
}

/** SHA-256 of a text in UTF-8, lower-case hex. Needs a secure context (https or localhost), as the models do. */
async function hash(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
