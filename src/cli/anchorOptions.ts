/** The command line of `npm run anchors`. */
import { OUTCOMES, type OutcomeKind } from '../rollouts/steering';
import { misuseOf, readersOf, readOptions, whole } from './arguments';
import { SPLITS, type Split } from '../rollouts/trajectories';

const NAMES = ['ar', 'mdlm'] as const;
export type AnchorModel = (typeof NAMES)[number];

export const ANCHORS_USAGE = `Use: npm run -s anchors -- [options]
  --split ${SPLITS.join('|')}  where the transitions come from (test)
  --n N             transitions; each has up to ${OUTCOMES.length} outcomes (60)
  --seed S          worlds, outcomes and draws, 0 to 99 (1)
  --model LIST      of ${NAMES.join(', ')}, with commas between (ar,mdlm)
  --models DIR      folder with the model folders ar and mdlm (models)
  --kinds LIST      of ${OUTCOMES.join(', ')} (all)
  --attempts K      answers tried at most where a pin cannot be placed (8)
  --threshold X     of the sampler threshold, by which the MDLM writes here, in (0, 1] (0.9)
  --temperature T   0 is greedy, and 1 after a rejected answer (0)
  --json            one JSON object on stdout, everything else on stderr
  --out FILE        the JSON object into a file as well
  --rows FILE       every answer as JSONL into a file`;

const wrong = misuseOf(ANCHORS_USAGE);

const OPTIONS = {
  split: { type: 'string', default: 'test' },
  n: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  model: { type: 'string', default: NAMES.join(',') },
  models: { type: 'string', default: 'models' },
  kinds: { type: 'string', default: OUTCOMES.join(',') },
  attempts: { type: 'string', default: '8' },
  threshold: { type: 'string', default: '0.9' },
  temperature: { type: 'string', default: '0' },
  json: { type: 'boolean', default: false },
  out: { type: 'string' },
  rows: { type: 'string' },
} as const;

export interface AnchorOptions {
  split: Split;
  n: number;
  seed: number;
  names: AnchorModel[];
  models: string;
  kinds: OutcomeKind[];
  attempts: number;
  threshold: number;
  temperature: number;
  json: boolean;
  out: string | null;
  rows: string | null;
}

/**
 * Reads the arguments behind `npm run anchors --`.
 * @throws Error whose message says what is wrong and shows the usage; null when help was asked for
 */
export function parseAnchorArgs(args: string[]): AnchorOptions | null {
  const values = readOptions(args, OPTIONS, wrong);
  if (values.help) return null;
  const split = SPLITS.find((name) => name === values.split);
  if (!split) throw wrong(`--split ${values.split} is none of ${SPLITS.join(', ')}`);
  const { number, list } = readersOf(wrong);
  return {
    split,
    n: number('n', values.n, whole(1, 100_000), 'a number of transitions'),
    seed: number('seed', values.seed, whole(0, 99), 'a whole number from 0 to 99'),
    names: list('model', values.model, NAMES),
    models: values.models,
    kinds: list('kinds', values.kinds, OUTCOMES),
    attempts: number('attempts', values.attempts, whole(1, 1024), 'a whole number from 1 to 1024'),
    threshold: number('threshold', values.threshold, (x) => x > 0 && x <= 1, 'a confidence above 0 and at most 1'),
    temperature: number('temperature', values.temperature, (x) => x >= 0 && x <= 100, 'a number from 0 to 100'),
    json: values.json,
    out: values.out ?? null,
    rows: values.rows ?? null,
  };
}
