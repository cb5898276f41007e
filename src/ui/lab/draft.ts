/** A batch while it is put together: a spec that may not hold yet, its parts as text, and what is wrong with it. */
import {
  countJobs,
  LabError,
  readLabSpec,
  seedsOf,
  type LabAgent,
  type LabSampling,
  type LabSimulator,
  type LabSpec,
} from '../../rollouts/lab';
import type { Seeds } from '../../rollouts/lab';
import { asJson } from '../../rollouts/records';
import { canonical, parseJson, type Json } from '../../world/json';
import type { StepOptions } from '../../world/simulator';
import { laneIdsOf, type LaneId, type LaneSpec } from '../lanes';
import { DEFAULT_SAMPLING, type Sampling } from '../sampling/fields';
import { optionsOf, ownSettings, settingsOf } from '../sampling/options';

/** What the form begins with: small enough to end in a minute, and with something to compare. */
export const FIRST_DRAFT: LabSpec = {
  title: 'Batch',
  worlds: { families: ['support', 'terminal', 'grid'], seeds: { from: 1, count: 10 }, difficulties: [1] },
  simulators: simulatorsOf([{ model: 'twin' }, { model: 'mdlm' }, { model: 'ar' }], DEFAULT_SAMPLING),
  agents: [{ id: 'expert', kind: 'expert' }],
  seeds: [1],
  steps: 8,
  history: 'free',
  directives: '',
  faults: null,
  models: null,
};

/** The spec as it will run, or every problem it has, each with its place. */
export type Checked = { ok: true; spec: LabSpec; jobs: number } | { ok: false; problems: string[] };

/** Checks a draft. Model folders of the command line mean nothing to a page, which says so and does not take others for them. */
export function checkDraft(draft: LabSpec): Checked {
  return checked(() => readLabSpec(asJson(draft)));
}

/** Reads the text of a spec, of the command line or saved here. */
export function checkText(text: string): Checked {
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, problems: [`it is not JSON: ${parsed.error}`] };
  return checked(() => readLabSpec(specIn(parsed.value)));
}

/** The spec in a `results.json`, or the value itself. */
function specIn(value: Json): Json {
  const isResults = typeof value === 'object' && value !== null && !Array.isArray(value) && 'specHash' in value;
  return isResults ? ((value as { spec?: Json }).spec ?? value) : value;
}

function checked(read: () => LabSpec): Checked {
  try {
    const spec = read();
    const own = spec.simulators.filter(({ models }) => models !== null);
    if (own.length === 0) return { ok: true, spec, jobs: countJobs(spec) };
    const folders = own.map(({ id, models }) => `${id} (${models})`).join(', ');
    const what = 'the page runs the models of its own folder, and these simulators name one each';
    return { ok: false, problems: [`${what}: ${folders}; take "models" out, or use npm run lab`] };
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
    const [head, ...problems] = error.message.split('\n  ');
    return { ok: false, problems: problems.length > 0 ? problems : [head ?? error.message] };
  }
}

/** How the number of rollouts comes about, and how many steps they are at most. */
export function sizeOf(spec: LabSpec): {
  factors: [n: number, one: string, many: string][];
  jobs: number;
  steps: number;
} {
  const { worlds, simulators, agents, seeds } = spec;
  const jobs = countJobs(spec);
  return {
    factors: [
      [worlds.families.length, 'family', 'families'],
      [countOf(worlds.seeds), 'world', 'worlds'],
      [worlds.difficulties.length, 'difficulty', 'difficulties'],
      [agents.length, 'agent', 'agents'],
      [countOf(seeds), 'seed', 'seeds'],
      [simulators.length, 'simulator', 'simulators'],
    ],
    jobs,
    steps: jobs * spec.steps,
  };
}

function countOf(seeds: Seeds): number {
  return Array.isArray(seeds) ? seeds.length : seeds.count;
}

/** Seeds as people write them: `1-20`, `3`, `1, 5, 9`. */
export function seedsText(seeds: Seeds): string {
  if (Array.isArray(seeds)) return seeds.join(', ');
  return seeds.count === 1 ? String(seeds.from) : `${seeds.from}-${seeds.from + seeds.count - 1}`;
}

/** Reads `1-20`, `3` or `1, 5-7`; null for anything else, for seeds beyond 31 bits and for lists longer than 100,000. */
export function parseSeeds(text: string): Seeds | null {
  const parts = text.split(',').map((part) => /^\s*(\d{1,10})(?:\s*-\s*(\d{1,10}))?\s*$/.exec(part));
  const ranges: { from: number; count: number }[] = [];
  for (const part of parts) {
    if (!part) return null;
    const from = Number(part[1]);
    const count = Number(part[2] ?? part[1]) - from + 1;
    if (count < 1 || from + count - 1 > 2 ** 31 - 1) return null;
    ranges.push({ from, count });
  }
  const [only] = ranges;
  if (only && ranges.length === 1) return only.count === 1 ? [only.from] : only;
  if (ranges.reduce((sum, { count }) => sum + count, 0) > 100_000) return null;
  return ranges.flatMap(seedsOf);
}

/** Simulators as the playground's lanes are, each with the settings it has there. */
export function simulatorsOf(lanes: readonly LaneSpec[], shared: Sampling): LabSimulator[] {
  const ids = laneIdsOf(lanes);
  return lanes.map((lane, i) => {
    const kind = lane.model === 'ar-transformers' ? 'transformers' : lane.model;
    return { id: ids[i] as string, kind, models: null, options: labOptions(optionsOf(lane, shared)) };
  });
}

/** A simulator as a lane: its model and the settings that are not the defaults. */
export function laneOf({ kind, options }: Pick<LabSimulator, 'kind' | 'options'>): LaneSpec {
  const model: LaneId = kind === 'transformers' ? 'ar-transformers' : kind;
  return { model, ...ownSettings(model, settingsOf(options), DEFAULT_SAMPLING) };
}

/**
 * The simulator with the settings of a lane; defaults are left out, so that the spec says what was chosen. What the form cannot
 * show (a spec may say more than it) stays as it was.
 */
export function withSettings(simulator: LabSimulator, lane: LaneSpec): LabSimulator {
  const shown = labOptions(optionsOf(laneOf(simulator), DEFAULT_SAMPLING));
  const next = labOptions(optionsOf(lane, DEFAULT_SAMPLING));
  const names = Object.keys(simulator.options) as (keyof LabSampling)[];
  const kept = names.filter((name) => {
    const [text, before, after] = [simulator.options, shown, next].map((options) => valueText(options[name]));
    return text !== before && before === after;
  });
  return { ...simulator, options: { ...next, ...pick(simulator.options, kept) } };
}

/** What a simulator sets, as its spec says it: `threshold 0.5`; empty when nothing. */
export function namesOf({ options }: LabSimulator): string {
  return Object.entries(options)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? parametersText(value) : String(value)}`)
    .join(', ');
}

function parametersText(value: object): string {
  const [first, ...rest] = Object.entries(value) as [string, unknown][];
  return [first?.[1], ...rest.map(([name, parameter]) => `(${name} ${String(parameter)})`)].join(' ');
}

function valueText(value: unknown): string {
  return canonical(asJson({ value: value ?? null }));
}

function pick(options: LabSampling, names: readonly (keyof LabSampling)[]): LabSampling {
  return Object.fromEntries(names.map((name) => [name, options[name]]));
}

/** Options as a spec has them: there are no pins in a batch. */
function labOptions({ attempts: _, ...options }: Partial<StepOptions>): LabSimulator['options'] {
  const plain = { temperature: 0, topP: 1, threshold: DEFAULT_SAMPLING.threshold } as const;
  const names = Object.keys(plain) as (keyof typeof plain)[];
  const same = names.filter((name) => options[name] === plain[name]);
  return Object.fromEntries(Object.entries(options).filter(([name]) => !same.some((one) => one === name)));
}

/** An id that no other of the list has: the name itself, or with a number behind it. */
export function freeId(name: string, taken: readonly string[]): string {
  for (let n = 1; ; n++) {
    const id = n === 1 ? name : `${name}-${n}`;
    if (!taken.includes(id)) return id;
  }
}

/** A simulator as it is added, with the settings that a lane of the page begins with. */
export function newSimulator(kind: LabSimulator['kind'], others: readonly LabSimulator[]): LabSimulator {
  const ids = others.map(({ id }) => id);
  const [first] = simulatorsOf(
    [laneOf({ kind, options: {} })].map(({ model }) => ({ model })),
    DEFAULT_SAMPLING,
  );
  return { ...(first as LabSimulator), id: freeId(kind, ids) };
}

/** What an agent does, in a few words. */
export function agentTitle(agent: LabAgent): string {
  switch (agent.kind) {
    case 'expert':
      return 'expert';
    case 'random':
      return 'random';
    case 'malformed':
      return 'malformed calls';
    case 'noisy':
      return `expert, ${Math.round(agent.rate * 1000) / 10}% of its calls random`;
    case 'replay':
      return `replay of ${agent.actions.length} ${agent.actions.length === 1 ? 'call' : 'calls'}`;
    default:
      return agent satisfies never;
  }
}
