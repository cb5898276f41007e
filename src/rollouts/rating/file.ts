/** `wmvotes`: a set with its pairs, raters and votes as JSON lines, written and read (docs/formats/wmvotes.md). */
import { get, isObject, parseJson, type JsonObject } from '../../world/json';
import { traceLine } from '../trace';
import { sha256 } from './digest';
import { RatingError } from './errors';
import { sortRating } from './log';
import { pairId } from './pairs';
import { recordComplaint, setComplaint } from './shape';
import { VOTES_VERSION, type LogEntry, type Rater, type Rating, type RatingPair, type RatingSet } from './types';

/**
 * The file of a set: header, raters, pairs, log, footer, each in an order of its own, so equal content is equal bytes.
 * @throws RolloutError `not_finite` for NaN and Infinity, which JSON cannot write
 */
export async function writeVotes(rating: Rating): Promise<string> {
  const { set, raters, pairs, log } = sortRating(rating);
  const header = { type: 'header', format: 'wmvotes', version: VOTES_VERSION, set };
  const text = [header, ...raters, ...pairs, ...log].map(traceLine).join('');
  const counts = { raters: raters.length, pairs: pairs.length, log: log.length };
  return text + traceLine({ type: 'footer', counts, sha256: await sha256(text) });
}

/**
 * Reads the text of a votes file. Nothing is guessed: what is wrong is refused with its line.
 * @throws RatingError `not_wmvotes`, `wrong_version`, `bad_line` or `changed`
 */
export async function readVotes(text: string): Promise<Rating> {
  const reader = new Reader();
  for (const [i, raw] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    const line = raw.replace(/\r$/, '');
    if (line.trim() !== '') await reader.take(line, i + 1);
  }
  return reader.end();
}

class Reader {
  #set: RatingSet | null = null;
  readonly #raters = new Map<string, Rater>();
  readonly #pairs = new Map<string, RatingPair>();
  readonly #log = new Map<string, { entry: LogEntry; line: number }>();
  #text = '';
  #closed = false;

  async take(line: string, number: number): Promise<void> {
    const record = parse(line, number, this.#set === null);
    const type = get(record, 'type');
    if (this.#closed) throw badLine(number, 'it stands after the footer');
    if (this.#set === null) this.#set = header(record, number);
    else if (type === 'header') throw badLine(number, 'a file holds one set; import its parts one after another');
    else if (type === 'footer') return this.#foot(record, number);
    else await this.#record(typeof type === 'string' ? type : '', record, number);
    this.#text += `${line}\n`;
  }

  end(): Rating {
    if (this.#set === null) throw notVotes(1, 'the file is empty');
    if (!this.#closed) {
      const advice = 'Nothing was imported. The file broke off: get it again.';
      throw new RatingError('changed', 'The file has no footer, so its end is missing.', advice);
    }
    for (const { entry, line } of this.#log.values()) this.#checkEntry(entry, line);
    const log = [...this.#log.values()].map(({ entry }) => entry);
    return sortRating({ set: this.#set, raters: [...this.#raters.values()], pairs: [...this.#pairs.values()], log });
  }

  async #record(type: string, record: JsonObject, number: number): Promise<void> {
    const complaint = recordComplaint(type, record);
    if (complaint !== null) throw badLine(number, complaint);
    const { id } = record as unknown as { id: string };
    if (this.#raters.has(id) || this.#pairs.has(id) || this.#log.has(id)) {
      throw badLine(number, `there are two records "${id}"`);
    }
    if (type === 'rater') this.#raters.set(id, record as unknown as Rater);
    else if (type === 'pair') {
      const pair = record as unknown as RatingPair;
      const { kind, truth } = this.#set as RatingSet;
      if (kind === 'answer' && (pair.a.turns.length !== 1 || pair.b.turns.length !== 1)) {
        throw badLine(number, 'a pair of answers has one turn on each side');
      }
      if (truth !== 'help' && pair.truth !== null)
        throw badLine(number, 'the set offers no truth, and /truth is there');
      if ((await pairId(pair)) !== id) throw badLine(number, 'its id is not the hash of what it says');
      this.#pairs.set(id, pair);
    } else this.#log.set(id, { entry: record as unknown as LogEntry, line: number });
  }

  /** What an entry names has to be there; it may stand behind it, since logs are sorted by time. */
  #checkEntry(entry: LogEntry, number: number): void {
    if (!this.#raters.has(entry.rater)) throw badLine(number, `there is no rater "${entry.rater}"`);
    if (entry.type === 'vote' || entry.type === 'skip') {
      if (!this.#pairs.has(entry.pair)) throw badLine(number, `there is no pair "${entry.pair}"`);
      return;
    }
    const of = this.#log.get(entry.of)?.entry;
    const fits = entry.type === 'reveal' ? of?.type === 'vote' : of?.type === 'vote' || of?.type === 'skip';
    if (!fits) throw badLine(number, `there is no vote "${entry.of}"`);
    if (of?.rater !== entry.rater) throw badLine(number, `the vote "${entry.of}" is of another rater`);
  }

  async #foot(record: JsonObject, number: number): Promise<void> {
    if (get(record, 'sha256') !== (await sha256(this.#text))) {
      throw new RatingError(
        'changed',
        `Line ${number}: the lines before the footer are not the ones that were exported (their SHA-256 differs).`,
        'Nothing was imported. Get the file again from the rater.',
      );
    }
    this.#closed = true;
  }
}

function header(record: JsonObject, number: number): RatingSet {
  if (get(record, 'type') !== 'header' || get(record, 'format') !== 'wmvotes') {
    throw notVotes(number, 'its first line is no header with the "format" "wmvotes"');
  }
  const version = get(record, 'version');
  const [major, minor] = Array.isArray(version) ? version : [];
  if (!Number.isInteger(major) || !Number.isInteger(minor)) throw badLine(number, '/version is not [major, minor]');
  if (major !== VOTES_VERSION[0] || (minor as number) > VOTES_VERSION[1]) {
    throw new RatingError(
      'wrong_version',
      `Line ${number}: the votes have version ${String(major)}.${String(minor)}; this page reads ${VOTES_VERSION.join('.')}.`,
      'Open the file with the Terrarium it was written by, or a newer one.',
    );
  }
  const complaint = setComplaint(record);
  if (complaint !== null) throw badLine(number, complaint);
  return get(record, 'set') as unknown as RatingSet;
}

function parse(line: string, number: number, isFirst: boolean): JsonObject {
  const parsed = parseJson(line);
  if (!parsed.ok) throw isFirst ? notVotes(number, `it is not JSON: ${parsed.error}`) : badLine(number, parsed.error);
  if (isObject(parsed.value)) return parsed.value;
  throw isFirst ? notVotes(number, 'it is not a JSON object') : badLine(number, 'it is not a JSON object');
}

function notVotes(number: number, what: string): RatingError {
  const advice = 'Choose a file that blind rating exported (*.wmvotes.jsonl).';
  return new RatingError('not_wmvotes', `This is not a file of votes (line ${number}): ${what}.`, advice);
}

function badLine(number: number, what: string): RatingError {
  const advice = 'Nothing was imported. Export the file again.';
  return new RatingError('bad_line', `Line ${number} cannot be read: ${what}.`, advice);
}

/** A file name for a set. */
export function votesFileName({ title, id }: RatingSet, ending: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${words.slice(0, 40) || 'rating'}-${id.slice(-6)}.${ending}`;
}
