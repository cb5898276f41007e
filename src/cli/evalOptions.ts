/** The command line of `npm run eval`. */
import { parseArgs } from 'node:util';
import { messageOf } from '../models/errors';
import { openSampler, SAMPLERS, VERIFIERS } from '../models';
import type { Sampling } from './evaluate';
import { readersOf, whole } from './arguments';
import { MODEL_NAMES, type ModelName } from './openSimulator';
import { SPLITS, type Split } from '../rollouts/trajectories';

export const EVAL_USAGE = `Use: npm run -s eval -- [options]
  --split test|unseen|heldout|valid|train  where the transitions come from (test)
  --n N             transitions (300)
  --seed S          worlds and draws, 0 to 99 (1)
  --model LIST      of ${MODEL_NAMES.join(', ')}, with commas between (ar,mdlm)
  --models DIR      folder with the model folders ar and mdlm (models)
  --threshold X     the sampler threshold, with the confidence at which it writes, in (0, 1] (0.9)
  --temperature T   0 is greedy (0)
  --top-p P         nucleus that tokens are drawn from, in (0, 1] (1)
  --min-p M         least probability of a token as a share of the best one's, in [0, 1] (0)
  --guidance G      scale of guidance on the directives, from 0, at most 100 (0)
  --sampler S       of the MDLM, with parameters if you like: ${Object.keys(SAMPLERS).join(', ')}; for example
                    confidence:steps=8,order=entropy (speculative)
  --block-size N    places the MDLM fills at a time; the whole window unless given
  --crop            leave out of later MDLM passes what stands behind a committed <end>
  --best-of N:V     best of N answers by a verifier: ${Object.keys(VERIFIERS).join(', ')}; needs a temperature above 0
  --constraint schema  hold answers to the output schema of the tool (off)
  --show K          K answers of each model beside the true ones; with --wrong only those that differ
  --json            one JSON object on stdout, everything else on stderr
  --out FILE        the JSON object into a file as well
  --rows FILE       scores of every answer as JSONL into a file`;

export interface EvalOptions {
  split: Split;
  n: number;
  names: ModelName[];
  models: string;
  /** Seed and settings of the answers; what was not asked for is absent. */
  sampling: Sampling;
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
  const { number, list } = readersOf(wrong);
  const share = (x: number) => x > 0 && x <= 1;
  const temperature = number('temperature', values.temperature, (x) => x >= 0 && x < Infinity, 'a number from 0');
  return {
    split,
    n: number('n', values.n, whole(1, 1_000_000), 'a number of transitions'),
    names: list('model', values.model, MODEL_NAMES),
    models: values.models,
    sampling: {
      seed: number('seed', values.seed, whole(0, 99), 'a whole number from 0 to 99'),
      threshold: number('threshold', values.threshold ?? '0.9', share, 'a confidence above 0 and at most 1'),
      temperature,
      topP: number('top-p', values['top-p'], share, 'a share above 0 and at most 1'),
      ...given('minP', values['min-p'], (x) => number('min-p', x, (m) => m >= 0 && m <= 1, 'a share from 0 to 1')),
      ...given('guidance', values.guidance, (x) => number('guidance', x, (g) => g >= 0 && g <= 100, 'from 0 to 100')),
      sampler: chosenSampler(values),
      ...given('blockSize', values['block-size'], (x) => number('block-size', x, whole(1, 1000), 'a number of places')),
      ...(values.crop ? { crop: true } : {}),
      ...given('bestOf', values['best-of'], (x) => bestOf(x, temperature)),
      ...given('constraint', values.constraint, (x) => {
        if (x === 'schema') return x;
        throw wrong(`--constraint ${x} is none of schema`);
      }),
    },
    show: number('show', values.show, whole(0, 1_000_000), 'a number of examples'),
    wrongOnly: values.wrong,
    json: values.json,
    out: values.out ?? null,
    rows: values.rows ?? null,
  };
}

/** An option under its name if it was given. */
function given<K extends string, T>(key: K, text: string | undefined, read: (text: string) => T): { [name in K]?: T } {
  return (text === undefined ? {} : { [key]: read(text) }) as { [name in K]?: T };
}

/** The sampler that is asked for: `--threshold` asks for one, and `--block-size` and `--crop` for one that fills a window. */
function chosenSampler({ sampler, threshold, crop, 'block-size': blockSize }: ReturnType<typeof readArgs>['values']) {
  const inWindow = crop || blockSize !== undefined;
  const choice = samplerOf(sampler ?? (threshold !== undefined || inWindow ? 'threshold' : 'speculative'));
  if (inWindow && choice.name === 'speculative')
    throw wrong('--block-size and --crop are nothing to --sampler speculative, which has no window');
  if (threshold === undefined) return choice;
  if (choice.name !== 'threshold') throw wrong(`--threshold ${threshold} is nothing to --sampler ${choice.name}`);
  return samplerOf(sampler?.includes('threshold=') ? sampler : `threshold:threshold=${threshold}`);
}

/** A sampler with all of its parameters. @throws Error that says which samplers and parameters there are */
function samplerOf(text: string) {
  const [name = '', ...rest] = text.split(':');
  const parts = rest.join(':').split(',').filter(Boolean);
  const parameters = parts.map((part) => {
    const [key = '', value = ''] = part.split('=');
    return [key, value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value];
  });
  try {
    return openSampler({ name, ...Object.fromEntries(parameters) }).choice;
  } catch (error) {
    throw wrong(`--sampler ${text}: ${messageOf(error).replace(/\.$/, '')}`);
  }
}

function bestOf(text: string, temperature: number): { n: number; verifier: string } {
  const [count = '', verifier = 'sound'] = text.split(':');
  const n = Number(count);
  if (!(Number.isInteger(n) && n >= 1 && n <= 64 && Object.hasOwn(VERIFIERS, verifier))) {
    throw wrong(
      `--best-of ${text} is not a number from 1 to 64 and one of ${Object.keys(VERIFIERS).join(', ')}, as 4:sound`,
    );
  }
  if (n > 1 && temperature <= 0)
    throw wrong(`--best-of ${text} needs a --temperature above 0: else all answers are the same`);
  return { n, verifier };
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
        threshold: { type: 'string' },
        temperature: { type: 'string', default: '0' },
        'top-p': { type: 'string', default: '1' },
        'min-p': { type: 'string' },
        guidance: { type: 'string' },
        sampler: { type: 'string' },
        'block-size': { type: 'string' },
        crop: { type: 'boolean', default: false },
        'best-of': { type: 'string' },
        constraint: { type: 'string' },
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
