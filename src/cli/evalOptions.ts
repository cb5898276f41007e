/** The command line of `npm run eval`. */
import { parseArgs } from 'node:util';
import { MODEL_NAMES, type ModelName } from './openSimulator';
import { SPLITS, type Split } from './trajectories';

export const EVAL_USAGE = `Use: npm run -s eval -- [options]
  --split test|unseen|heldout|valid|train  where the transitions come from (test)
  --n N             transitions (300)
  --seed S          worlds and draws, 0 to 99 (1)
  --model LIST      of ${MODEL_NAMES.join(', ')}, with commas between (ar,mdlm)
  --models DIR      folder with the model folders ar and mdlm (models)
  --threshold X     confidence at which the MDLM commits, in (0, 1] (0.9)
  --temperature T   0 is greedy (0)
  --top-p P         nucleus of the AR model, in (0, 1] (1)
  --show K          K answers of each model beside the true ones; with --wrong only those that differ
  --json            one JSON object on stdout, everything else on stderr
  --out FILE        the JSON object into a file as well
  --rows FILE       scores of every answer as JSONL into a file`;

export interface EvalOptions {
  split: Split;
  n: number;
  seed: number;
  names: ModelName[];
  models: string;
  /** Null takes the models' own. */
  threshold: number;
  temperature: number;
  topP: number;
  show: number;
  wrongOnly: boolean;
  json: boolean;
  out: string | null;
  rows: string | null;
}

/**
 * Reads the arguments behind `npm run eval --`.
 * @throws Error whose message says what is wrong and shows the usage; null when help was asked for
 */
export function parseEvalArgs(args: string[]): EvalOptions | null {
  const { values } = readArgs(args);
  if (values.help) return null;
  const split = SPLITS.find((name) => name === values.split);
  if (!split) throw wrong(`--split ${values.split} is none of ${SPLITS.join(', ')}`);
  const number = (flag: string, text: string, holds: (x: number) => boolean, what: string) => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (!holds(value)) throw wrong(`--${flag} ${text} is not ${what}`);
    return value;
  };
  const names = values.model.split(',').map((name) => name.trim());
  const known = MODEL_NAMES.filter((name) => names.includes(name));
  const strange = names.find((name) => !known.includes(name as ModelName));
  if (strange !== undefined) throw wrong(`--model "${strange}" is none of ${MODEL_NAMES.join(', ')}`);
  const whole = (low: number, high: number) => (x: number) => Number.isInteger(x) && x >= low && x <= high;
  const share = (x: number) => x > 0 && x <= 1;
  return {
    split,
    n: number('n', values.n, whole(1, 1_000_000), 'a number of transitions'),
    seed: number('seed', values.seed, whole(0, 99), 'a whole number from 0 to 99'),
    names: known,
    models: values.models,
    threshold: number('threshold', values.threshold, share, 'a confidence above 0 and at most 1'),
    temperature: number('temperature', values.temperature, (x) => x >= 0 && x < Infinity, 'a number from 0'),
    topP: number('top-p', values['top-p'], share, 'a share above 0 and at most 1'),
    show: number('show', values.show, whole(0, 1_000_000), 'a number of examples'),
    wrongOnly: values.wrong,
    json: values.json,
    out: values.out ?? null,
    rows: values.rows ?? null,
  };
}

function readArgs(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        split: { type: 'string', default: 'test' },
        n: { type: 'string', default: '300' },
        seed: { type: 'string', default: '1' },
        model: { type: 'string', default: 'ar,mdlm' },
        models: { type: 'string', default: 'models' },
        threshold: { type: 'string', default: '0.9' },
        temperature: { type: 'string', default: '0' },
        'top-p': { type: 'string', default: '1' },
        show: { type: 'string', default: '0' },
        wrong: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        out: { type: 'string' },
        rows: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

function wrong(message: string): Error {
  return new Error(`${message}.\n\n${EVAL_USAGE}`);
}
