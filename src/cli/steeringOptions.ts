/** The command line of `npm run steering`. */
import { parseArgs } from 'node:util';
import { DIRECTIVES, type SteeringSuite } from '../rollouts/steering';
import { SPLITS } from '../rollouts/trajectories';
import { FAMILIES } from '../twins';
import { readersOf, whole } from './arguments';

const SIMULATORS = ['twin', 'ar', 'mdlm'] as const;
export type SteeringSimulator = (typeof SIMULATORS)[number];

const COLUMNS = ['worlds', 'families'] as const;

const FAMILY_NAMES = FAMILIES.map(({ name }) => name);

export const STEERING_USAGE = `Use: npm run -s steering -- [options]
  --model LIST        of ${SIMULATORS.join(', ')}, with commas between, or all (all)
  --models DIR        folder with the model folders ar and mdlm (models)
  --families LIST     of ${FAMILY_NAMES.slice(0, 8).join(', ')},
                      ${FAMILY_NAMES.slice(8).join(', ')}, or all (support,terminal,grid)
  --worlds N          worlds of each family and difficulty (3)
  --first S           seed of the first world (1)
  --difficulties LIST of 1, 2, 3 (1)
  --directives LIST   of ${DIRECTIVES.join(', ')} (all)
  --calls K           calls of each world under each directive, at most (1)
  --anchors N         transitions on which outcomes are pinned, 0 for none (6)
  --split ${SPLITS.join('|')}  where those come from (test)
  --attempts K        answers tried at most where a pin cannot be placed (8)
  --seed S            draws where the temperature is above 0, and which outcomes are pinned, 0 to 99 (1)
  --temperature T     0 is greedy (0)
  --threshold X       of the sampler threshold, by which the MDLM writes here, in (0, 1] (0.9)
  --columns ${COLUMNS.join('|')}  a column for each world as well, or for families alone (worlds)
  --json              one JSON object on stdout, everything else on stderr
  --out FILE          every answer with its checks as JSONL into a file
  --save FILE         the run as one file that the page's view Results opens (name it *.wmsuite.json)`;

export interface SteeringOptions {
  names: SteeringSimulator[];
  models: string;
  suite: SteeringSuite;
  temperature: number;
  threshold: number;
  columns: (typeof COLUMNS)[number];
  json: boolean;
  out: string | null;
  save: string | null;
}

/**
 * Reads the arguments behind `npm run steering --`.
 * @throws Error whose message says what is wrong and shows the usage; null when help was asked for
 */
export function parseSteeringArgs(args: string[]): SteeringOptions | null {
  const values = readArgs(args);
  if (values.help) return null;
  const { number, list, names } = readersOf(wrong);
  const split = SPLITS.find((name) => name === values.split);
  if (!split) throw wrong(`--split ${values.split} is none of ${SPLITS.join(', ')}`);
  const columns = COLUMNS.find((name) => name === values.columns);
  if (!columns) throw wrong(`--columns ${values.columns} is none of ${COLUMNS.join(', ')}`);
  const worlds = number('worlds', values.worlds, whole(1, 100_000), 'a number of worlds');
  const first = number('first', values.first, whole(0, 1_000_000), 'a whole number from 0');
  return {
    names: names('model', values.model, SIMULATORS),
    models: values.models,
    suite: {
      families: names('families', values.families, FAMILY_NAMES),
      seeds: Array.from({ length: worlds }, (_, i) => first + i),
      difficulties: list('difficulties', values.difficulties, ['1', '2', '3']).map(Number),
      directives: names('directives', values.directives, DIRECTIVES),
      calls: number('calls', values.calls, whole(1, 100), 'a number of calls'),
      seed: number('seed', values.seed, whole(0, 99), 'a whole number from 0 to 99'),
      anchors: {
        split,
        n: number('anchors', values.anchors, whole(0, 100_000), 'a number of transitions'),
        attempts: number('attempts', values.attempts, whole(1, 1024), 'a whole number from 1 to 1024'),
      },
    },
    temperature: number('temperature', values.temperature, (x) => x >= 0 && x < Infinity, 'a number from 0'),
    threshold: number('threshold', values.threshold, (x) => x > 0 && x <= 1, 'a confidence above 0 and at most 1'),
    columns,
    json: values.json,
    out: values.out ?? null,
    save: values.save ?? null,
  };
}

function readArgs(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        model: { type: 'string', default: 'all' },
        models: { type: 'string', default: 'models' },
        families: { type: 'string', default: 'support,terminal,grid' },
        worlds: { type: 'string', default: '3' },
        first: { type: 'string', default: '1' },
        difficulties: { type: 'string', default: '1' },
        directives: { type: 'string', default: 'all' },
        calls: { type: 'string', default: '1' },
        anchors: { type: 'string', default: '6' },
        split: { type: 'string', default: 'test' },
        attempts: { type: 'string', default: '8' },
        seed: { type: 'string', default: '1' },
        temperature: { type: 'string', default: '0' },
        threshold: { type: 'string', default: '0.9' },
        columns: { type: 'string', default: 'worlds' },
        json: { type: 'boolean', default: false },
        out: { type: 'string' },
        save: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

function wrong(message: string): Error {
  return new Error(`${message}.\n\n${STEERING_USAGE}`);
}
