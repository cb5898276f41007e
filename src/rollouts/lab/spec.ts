/** What a batch is: which worlds, simulators, agents and seeds, and how they meet. Plain JSON (docs/lab.md). */
import { FAMILIES } from '../../twins';
import { formatDirectives, parseDirectives } from '../../world/directives';
import { canonical, parseJson, type Json } from '../../world/json';
import { hashText } from '../../world/rng';
import type { StepOptions } from '../../world/simulator';
import type { Action } from '../../world/types';
import { parseFaultPlan, scheduleOf } from '../faults';
import { TWIN_LANE } from '../loop';
import { asJson } from '../records';
import { LabError } from './errors';
import { readPresets } from './presets';
import { SpecReader } from './specReader';

export const SIMULATOR_KINDS = ['twin', 'ar', 'mdlm', 'transformers'] as const;
export type SimulatorKind = (typeof SIMULATOR_KINDS)[number];

export const AGENT_KINDS = ['expert', 'noisy', 'random', 'malformed', 'replay'] as const;
export const HISTORIES = ['free', 'teacher'] as const;

/** Numbers, listed or counted up. */
export type Seeds = number[] | { from: number; count: number };

/** What one simulator may set of `StepOptions`; directives, seeds and keys of draws are the batch's. */
export type LabSampling = Partial<Omit<StepOptions, 'directives' | 'seed' | 'step' | 'lane'>>;

export interface LabSimulator {
  /** Name in tables and records, unique in the batch. `twin` is kept for the twin. */
  id: string;
  kind: SimulatorKind;
  /** Folder that holds the model folder of this kind; the batch's unless told. Only the command line reads it. */
  models: string | null;
  options: LabSampling;
}

export type LabAgent =
  | { id: string; kind: 'random' | 'malformed' }
  /** `then`: once the task is done, random calls go on until the steps are used up. */
  | { id: string; kind: 'expert'; then?: 'random' }
  | { id: string; kind: 'noisy'; rate: number }
  | { id: string; kind: 'replay'; actions: Action[] };

export interface LabSpec {
  title: string;
  worlds: { families: string[]; seeds: Seeds; difficulties: number[] };
  simulators: LabSimulator[];
  agents: LabAgent[];
  /** Each is a run of its own in every world: other draws of models, agents and faults. */
  seeds: Seeds;
  /** Steps at most; the task's end comes first. */
  steps: number;
  /** `free`: a lane's own answers make its history. `teacher`: every answer follows the twin's history. */
  history: (typeof HISTORIES)[number];
  /** Directives of every step, in their one spelling; empty for none. */
  directives: string;
  /** Fault plan PRESET:COUNT:DURATION, or null. */
  faults: string | null;
  /** Folder with the model folders, relative to the spec's file; null for the caller's choice. */
  models: string | null;
}

/** Jobs a batch may have: more would not end. */
const MOST_JOBS = 1_000_000;
/** Draws are keyed by 32-bit words, so larger seeds would repeat smaller ones. */
const MOST_SEED = 2 ** 31 - 1;

/** Reads a spec from JSON text. @throws LabError `bad_spec` that names every place that is wrong and what fits there */
export function parseLabSpec(text: string): LabSpec {
  const parsed = parseJson(text);
  if (!parsed.ok) throw badSpec([`it is not JSON: ${parsed.error}`]);
  return readLabSpec(parsed.value);
}

/** Checks a spec and fills in defaults. @throws LabError `bad_spec` that names every place that is wrong */
export function readLabSpec(value: Json): LabSpec {
  const top = new SpecReader(value, '', []);
  const { problems } = top;
  top.members(
    'title',
    'worlds',
    'simulators',
    'agents',
    'seeds',
    'steps',
    'history',
    'directives',
    'faults',
    'models',
    'presets',
  );
  const worlds = top.at('worlds').members('families', 'seeds', 'difficulties');
  const names = FAMILIES.map(({ name }) => name);
  const spec: LabSpec = {
    title: top.text('title', 'Batch'),
    worlds: {
      families: worlds.list('families').map((item) => item.oneOf(names)),
      seeds: readSeeds(worlds, 'seeds'),
      difficulties: worlds.list('difficulties', [1]).map((item) => item.whole(1, 3)),
    },
    simulators: readPresets(top, top.list('simulators').map(readSimulator)),
    agents: top.list('agents', ['expert']).map(readAgent),
    seeds: readSeeds(top, 'seeds', [1]),
    steps: top.at('steps', 8).whole(1, 1000),
    history: top.at('history', 'free').oneOf(HISTORIES),
    directives: top.text('directives', ''),
    faults: top.orNull('faults'),
    models: top.orNull('models'),
  };
  top.unique('worlds/families', spec.worlds.families);
  top.unique('worlds/difficulties', spec.worlds.difficulties);
  top.unique(
    'simulators',
    spec.simulators.map(({ id }) => id),
  );
  top.unique(
    'agents',
    spec.agents.map(({ id }) => id),
  );
  const steered = parseDirectives(spec.directives);
  if (steered.ok) spec.directives = formatDirectives(steered.value);
  else problems.push(`/directives: ${steered.error}`);
  if (spec.faults !== null) {
    const plan = parseFaultPlan(spec.faults);
    const schedule = plan.ok ? scheduleOf(plan.value, [], spec.steps, 1) : plan;
    if (!schedule.ok) problems.push(`/faults: ${schedule.error}`);
  }
  if (problems.length === 0 && countJobs(spec) > MOST_JOBS) {
    problems.push(`it makes ${countJobs(spec)} rollouts, and ${MOST_JOBS} is the most: take fewer seeds or agents`);
  }
  if (problems.length > 0) throw badSpec(problems);
  return spec;
}

/** Number of rollouts of a batch. */
export function countJobs({ worlds, simulators, agents, seeds }: LabSpec): number {
  const perWorld = agents.length * countSeeds(seeds) * simulators.length;
  return worlds.families.length * countSeeds(worlds.seeds) * worlds.difficulties.length * perWorld;
}

/** The numbers that `Seeds` stands for. */
export function seedsOf(seeds: Seeds): number[] {
  return Array.isArray(seeds) ? seeds : Array.from({ length: seeds.count }, (_, i) => seeds.from + i);
}

function countSeeds(seeds: Seeds): number {
  return Array.isArray(seeds) ? seeds.length : seeds.count;
}

/** Sixteen hex digits that tell specs apart; equal specs have equal ones. */
export function specHash(spec: LabSpec): string {
  const text = canonical(asJson(spec));
  return [text, `${text}.`].map((part) => hashText(part).toString(16).padStart(8, '0')).join('');
}

function readSeeds(parent: SpecReader, key: string, fallback?: Json): Seeds {
  const at = parent.at(key, fallback);
  if (at.isObject()) {
    at.members('from', 'count');
    const from = at.at('from', 1).whole(0, MOST_SEED);
    return { from, count: at.at('count').whole(1, Math.min(MOST_JOBS, MOST_SEED - from + 1)) };
  }
  const seeds = parent.list(key, fallback).map((item) => item.whole(0, MOST_SEED));
  parent.unique(key, seeds);
  return seeds;
}

function readSimulator(item: SpecReader): LabSimulator {
  if (item.isText()) {
    const kind = item.oneOf(SIMULATOR_KINDS);
    return { id: kind, kind, models: null, options: {} };
  }
  item.members('id', 'kind', 'models', 'options');
  const kind = item.at('kind').oneOf(SIMULATOR_KINDS);
  const id = item.name('id', kind);
  if (id === TWIN_LANE && kind !== 'twin') item.complain('id', `"${TWIN_LANE}" is kept for the twin; choose another`);
  return { id, kind, models: item.orNull('models'), options: readOptions(item.at('options', {})) };
}

/** Settings of a simulator. Samplers and verifiers are known to the models alone, which look at theirs at the first step. */
function readOptions(at: SpecReader): LabSampling {
  at.members(
    'temperature',
    'topP',
    'minP',
    'threshold',
    'guidance',
    'sampler',
    'blockSize',
    'crop',
    'bestOf',
    'constraint',
  );
  const out: LabSampling = {};
  if (at.has('temperature')) out.temperature = at.at('temperature').number((x) => x >= 0, 'a number from 0');
  const share = (x: number) => x > 0 && x <= 1;
  if (at.has('topP')) out.topP = at.at('topP').number(share, 'a share above 0 and at most 1');
  if (at.has('threshold')) out.threshold = at.at('threshold').number(share, 'a confidence above 0 and at most 1');
  if (at.has('minP')) out.minP = at.at('minP').number((x) => x >= 0 && x <= 1, 'a share from 0 to 1');
  if (at.has('guidance')) out.guidance = at.at('guidance').number((x) => x >= 0, 'a scale from 0');
  if (at.has('sampler')) out.sampler = at.at('sampler').sampler();
  if (at.has('blockSize')) out.blockSize = at.at('blockSize').whole(1, 1024);
  if (at.has('crop')) out.crop = at.at('crop').flag();
  if (at.has('constraint')) out.constraint = at.at('constraint').oneOf(['schema']);
  if (at.has('bestOf')) {
    const bestOf = at.at('bestOf').members('n', 'verifier');
    out.bestOf = { n: bestOf.at('n').whole(1, 64), verifier: bestOf.text('verifier', 'sound') };
  }
  return out;
}

function readAgent(item: SpecReader): LabAgent {
  if (item.isText()) {
    const kind = item.oneOf(
      ['expert', 'random', 'malformed'],
      `${plain}; noisy and replay are objects with more in them`,
    );
    return { id: kind, kind };
  }
  const kind = item.at('kind').oneOf(AGENT_KINDS);
  if (kind === 'noisy') {
    item.members('id', 'kind', 'rate');
    const rate = item.at('rate', 0.3).number((x) => x >= 0 && x <= 1, 'a share of random calls, from 0 to 1');
    return { id: item.name('id', `noisy-${rate}`), kind, rate };
  }
  if (kind === 'replay') {
    item.members('id', 'kind', 'actions');
    return { id: item.name('id', kind), kind, actions: item.list('actions').map((action) => action.action()) };
  }
  if (kind === 'expert' && item.has('then')) {
    item.members('id', 'kind', 'then');
    return { id: item.name('id', kind), kind, then: item.at('then').oneOf(['random'] as const) };
  }
  item.members('id', 'kind');
  return { id: item.name('id', kind), kind };
}

const plain = 'expert, random, malformed';

function badSpec(problems: readonly string[]): LabError {
  const list = problems.map((problem) => `\n  ${problem}`).join('');
  const advice = 'Correct it; docs/lab.md names every member, and test/fixtures/lab-quick.json is an example.';
  return new LabError('bad_spec', `The batch cannot be run as it is written:${list}`, advice);
}
