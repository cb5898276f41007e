/** The command line of `npm run lab`. */
import { misuseOf, readOptions } from './arguments';

export const LAB_USAGE = `Use: npm run -s lab -- --spec FILE --out DIR [options]
  --spec FILE   what is to be run, as JSON (docs/lab.md; test/fixtures/lab-quick.json is an example)
  --out DIR     folder for results.json, timings.json, steps.jsonl and report.html; one that holds part of the
                batch is gone on with
  --models DIR  folder with the model folders ar and mdlm; that of the spec unless given, else models
  --fresh       do everything again instead of going on`;

const wrong = misuseOf(LAB_USAGE);

const OPTIONS = {
  spec: { type: 'string' },
  out: { type: 'string' },
  models: { type: 'string' },
  fresh: { type: 'boolean', default: false },
} as const;

export interface LabCliOptions {
  spec: string;
  out: string;
  /** Null takes the spec's. */
  models: string | null;
  fresh: boolean;
}

/**
 * Reads the arguments behind `npm run lab --`.
 * @throws Error whose message says what is wrong and shows the usage; null when help was asked for
 */
export function parseLabArgs(args: string[]): LabCliOptions | null {
  const { spec, out, models, fresh, help } = readOptions(args, OPTIONS, wrong);
  if (help) return null;
  if (!spec) throw wrong('--spec FILE is missing: what is to be run');
  if (!out) throw wrong('--out DIR is missing: where the results go');
  return { spec, out, models: models ?? null, fresh };
}
