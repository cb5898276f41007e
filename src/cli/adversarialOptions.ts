/** The command line of `npm run adversarial`. */
import { parseArgs } from 'node:util';
import { SCENARIO_KINDS } from '../rollouts/adversarial';
import { FAMILIES } from '../twins';
import { readersOf, whole } from './arguments';

const SIMULATORS = ['twin', 'ar', 'mdlm'] as const;
export type SimulatorName = (typeof SIMULATORS)[number];

/** Scenarios and seeds. */
const MOST = 1_000_000;

const KINDS: readonly string[] = SCENARIO_KINDS.map(({ name }) => name);
const FAMILY_NAMES: readonly string[] = FAMILIES.map(({ name }) => name);

export const ADVERSARIAL_USAGE = `Use: npm run -s adversarial -- [options]
  --model LIST      of ${SIMULATORS.join(', ')}, with commas between, or all (all)
  --models DIR      folder with the model folders ar and mdlm (models)
  --seeds N         scenarios of each kind (20)
  --first S         seed of the first (1)
  --kinds LIST      of ${wrap(KINDS)} (all)
  --families LIST   of ${wrap(FAMILY_NAMES)} (all)
  --seed S          draws, where the temperature is above 0 (1)
  --temperature T   0 is greedy (0)
  --threshold X     of the sampler threshold, by which the MDLM writes here, in (0, 1] (0.9)
  --show K          the K worst scenarios of each simulator (3)
  --json            one JSON object on stdout, everything else on stderr
  --out FILE        every scenario with its answers as JSONL into a file`;

function wrap(names: readonly string[]): string {
  const lines = [''];
  for (const name of names) {
    const line = lines.at(-1) ?? '';
    if (line.length + name.length > 90) lines.push(name);
    else lines[lines.length - 1] = line === '' ? name : `${line}, ${name}`;
  }
  return lines.join(`,\n${' '.repeat(20)}`);
}

export interface AdversarialOptions {
  names: SimulatorName[];
  models: string;
  seeds: number;
  first: number;
  kinds: string[];
  families: string[];
  seed: number;
  temperature: number;
  threshold: number;
  show: number;
  json: boolean;
  out: string | null;
}

/**
 * Reads the arguments behind `npm run adversarial --`.
 * @throws Error whose message says what is wrong and shows the usage; null when help was asked for
 */
export function parseAdversarialArgs(args: string[]): AdversarialOptions | null {
  const values = readArgs(args);
  if (values.help) return null;
  const { number, names } = readersOf(wrong);
  return {
    names: names('model', values.model, SIMULATORS),
    models: values.models,
    seeds: number('seeds', values.seeds, whole(1, MOST), 'a number of scenarios'),
    first: number('first', values.first, whole(0, MOST), 'a whole number from 0'),
    kinds: names('kinds', values.kinds, KINDS),
    families: names('families', values.families, FAMILY_NAMES),
    seed: number('seed', values.seed, whole(0, MOST), 'a whole number from 0'),
    temperature: number('temperature', values.temperature, (x) => x >= 0 && x < Infinity, 'a number from 0'),
    threshold: number('threshold', values.threshold, (x) => x > 0 && x <= 1, 'a confidence above 0 and at most 1'),
    show: number('show', values.show, whole(0, MOST), 'a number of scenarios'),
    json: values.json,
    out: values.out ?? null,
  };
}

function readArgs(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        model: { type: 'string', default: 'all' },
        models: { type: 'string', default: 'models' },
        seeds: { type: 'string', default: '20' },
        first: { type: 'string', default: '1' },
        kinds: { type: 'string', default: 'all' },
        families: { type: 'string', default: 'all' },
        seed: { type: 'string', default: '1' },
        temperature: { type: 'string', default: '0' },
        threshold: { type: 'string', default: '0.9' },
        show: { type: 'string', default: '3' },
        json: { type: 'boolean', default: false },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

function wrong(message: string): Error {
  return new Error(`${message}.\n\n${ADVERSARIAL_USAGE}`);
}
