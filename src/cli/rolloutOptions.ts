/** The command line of `npm run rollout`. */
import { parseFaultPlan, scheduleOf, withFaults } from '../rollouts';
import { failCodesOf, FAMILIES } from '../twins';
import { parseDirectives } from '../world/directives';
import type { Directive } from '../world/types';
import { misuseOf, readersOf, readOptions, whole } from './arguments';
import { MODEL_NAMES, type ModelName } from './openSimulator';

export const AGENT_NAMES = ['expert', 'noisy', 'random', 'malformed'] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

const FAMILY_NAMES = FAMILIES.map(({ name }) => name);

export const ROLLOUT_USAGE = `Use: npm run -s rollout -- --out FILE [options]
  --world FAMILY      ${FAMILY_NAMES.join(', ')} (support)
  --world-seed N      which world of the family; the seed unless given
  --difficulty N      1 to 3 (1)
  --simulator LIST    of ${MODEL_NAMES.join(', ')}, with commas between (twin); the twin is always there as the reference
  --agent NAME        ${AGENT_NAMES.join(', ')} (expert)
  --lane NAME         simulator whose answers the agent sees; the twin unless given
  --noise X           share of random calls of the noisy agent, 0 to 1 (0.3)
  --seed S            seed of the draws and of the agent (1)
  --steps N           steps at most; the task's end comes first (10)
  --directives TEXT   for every step, for example "fail(rate_limited) terse"
  --faults P:N:D      N faults of D steps each at times drawn from the seed, spread over --steps; P is explicit (calls
                      fail), implicit (answers are empty, cut, stale or misleading) or mixed; for example mixed:2:1
  --models DIR        folder with the model folders ar and mdlm (models)
  --threshold X       of the sampler threshold, by which the MDLM writes here, in (0, 1] (0.9)
  --temperature T     0 is greedy (0)
  --top-p P           nucleus of the AR model, in (0, 1] (1)
  --out FILE          the wmtrace file (NAME.wmtrace.jsonl); - is standard output`;

const wrong = misuseOf(ROLLOUT_USAGE);

const OPTIONS = {
  world: { type: 'string', default: 'support' },
  'world-seed': { type: 'string' },
  difficulty: { type: 'string', default: '1' },
  simulator: { type: 'string', default: 'twin' },
  agent: { type: 'string', default: 'expert' },
  lane: { type: 'string', default: 'twin' },
  noise: { type: 'string', default: '0.3' },
  seed: { type: 'string', default: '1' },
  steps: { type: 'string', default: '10' },
  directives: { type: 'string', default: '' },
  faults: { type: 'string' },
  models: { type: 'string', default: 'models' },
  threshold: { type: 'string', default: '0.9' },
  temperature: { type: 'string', default: '0' },
  'top-p': { type: 'string', default: '1' },
  out: { type: 'string' },
} as const;

export interface RolloutOptions {
  family: string;
  worldSeed: number;
  difficulty: number;
  /** The twin comes first. */
  simulators: ModelName[];
  agent: AgentName;
  lane: ModelName;
  noise: number;
  seed: number;
  steps: number;
  /** Directives of each step, `steps` in all: those for every step and those of the faults. */
  directives: Directive[][];
  models: string;
  threshold: number;
  temperature: number;
  topP: number;
  out: string;
}

/**
 * Reads the arguments behind `npm run rollout --`.
 * @throws Error whose message says what is wrong and shows the usage; null when help was asked for
 */
export function parseRolloutArgs(args: string[]): RolloutOptions | null {
  const values = readOptions(args, OPTIONS, wrong);
  if (values.help) return null;
  const { number } = readersOf(wrong);
  const share = (x: number) => x > 0 && x <= 1;
  // Draws are keyed by 32-bit words, so larger seeds would repeat smaller ones.
  const seed = number('seed', values.seed, whole(0, 2 ** 31 - 1), 'a whole number from 0 to 2147483647');
  const simulators = simulatorsOf(values.simulator);
  const family = oneOf('world', values.world, FAMILY_NAMES);
  const steps = number('steps', values.steps, whole(1, 10_000), 'a number of steps from 1 to 10000');
  if (values.out === undefined || values.out === '') throw wrong('--out FILE is missing: where the record goes');
  return {
    family,
    worldSeed:
      values['world-seed'] === undefined
        ? seed
        : number('world-seed', values['world-seed'], whole(0, 2 ** 31 - 1), 'a whole number from 0 to 2147483647'),
    difficulty: number('difficulty', values.difficulty, whole(1, 3), '1, 2 or 3'),
    simulators,
    agent: oneOf('agent', values.agent, AGENT_NAMES),
    lane: oneOf('lane', values.lane, simulators),
    noise: number('noise', values.noise, (x) => x >= 0 && x <= 1, 'a share from 0 to 1'),
    seed,
    steps,
    directives: directivesOf(values.directives, values.faults, family, steps, seed),
    models: values.models,
    threshold: number('threshold', values.threshold, share, 'a confidence above 0 and at most 1'),
    temperature: number('temperature', values.temperature, (x) => x >= 0 && x < Infinity, 'a number from 0'),
    topP: number('top-p', values['top-p'], share, 'a share above 0 and at most 1'),
    out: values.out,
  };
}

/** Directives of each step. @throws Error for a text that is none and for faults that do not fit into the steps */
function directivesOf(text: string, faults: string | undefined, family: string, steps: number, seed: number) {
  const always = parseDirectives(text);
  if (!always.ok) throw wrong(`--directives: ${always.error}`);
  const plan = faults === undefined ? null : parseFaultPlan(faults);
  if (plan?.ok === false) throw wrong(`--faults: ${plan.error}`);
  const codes = failCodesOf(family);
  const schedule = plan && scheduleOf(plan.value, codes, steps, seed);
  if (schedule?.ok === false) throw wrong(`--faults ${faults}: ${schedule.error}; see --steps`);
  return Array.from({ length: steps }, (_, step) => withFaults(always.value, schedule?.value[step]));
}

function simulatorsOf(text: string): ModelName[] {
  const names = text.split(',').map((name) => oneOf('simulator', name.trim(), MODEL_NAMES));
  return ['twin', ...new Set(names.filter((name) => name !== 'twin'))];
}

function oneOf<T extends string>(flag: string, text: string, names: readonly T[]): T {
  const found = names.find((name) => name === text);
  if (found === undefined) throw wrong(`--${flag} "${text}" is none of ${names.join(', ')}`);
  return found;
}
