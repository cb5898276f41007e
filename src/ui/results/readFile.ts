/** A result file as bytes, whatever it is: read in a worker, since its tables may take seconds to compute. */
import { LabError, readResult, type OpenedResult } from '../../rollouts/lab';
import { readSuite, suiteTextOf, type OpenedSuite } from '../../rollouts/suites';

/** What a file holds: the result of a batch, or a run of a suite (Steering, Adversarial). */
export type Opened = { kind: 'batch'; result: OpenedResult } | { kind: 'suite'; result: OpenedSuite };

/** A text longer than this no browser holds (V8 ends at 2^29 - 24 characters, about 537 million). */
export const MOST_BYTES = 500e6;

const CHOOSE =
  'Choose a file that ends in .wmresult.json (the lab writes one beside each report) or in .wmsuite.json (JSON of a run in Steering or Adversarial).';

/**
 * Reads a result file and computes its tables again.
 * @throws LabError `bad_record`, `bad_spec` that says what is wrong with the file and what to do
 */
export async function readResultFile(file: Blob): Promise<Opened> {
  if (file.size === 0) throw bad('The file is empty.', CHOOSE);
  if (file.size > MOST_BYTES) {
    const size = `${Math.round(file.size / 1e6)} MB`;
    const advice =
      'Run the batch with fewer seeds a file, or read its results.json, which has the tables without rows.';
    throw bad(`The file has ${size}, and a page reads at most ${MOST_BYTES / 1e6} MB.`, advice);
  }
  const text = textOf(await bytesOf(file));
  if (suiteTextOf(text.slice(0, 400)) !== null) return { kind: 'suite', result: readSuite(text) };
  return { kind: 'batch', result: readResult(text) };
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (cause) {
    const advice = 'It may have been moved or changed since it was chosen: choose it again.';
    throw new LabError('bad_record', 'The browser cannot read the file.', advice, { cause });
  }
}

function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw bad('The file is compressed (gzip).', 'Unpack it first.');
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) throw bad('The file is an archive (zip).', 'Unpack it first.');
  try {
    // Fatal: bytes that are no text would otherwise be read as other ones than were written.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw bad('The file is no text (UTF-8).', CHOOSE);
  }
}

function bad(what: string, advice: string): LabError {
  return new LabError('bad_record', what, advice);
}
