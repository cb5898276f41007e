/**
 * Everything a link reproduces: the world, its edits and the settings of the lanes, as the hash of the page's URL.
 * One table says how each value is written and read, so that writing and reading cannot drift apart.
 */
import { formatFaultPlan, parseFaultPlan } from '../rollouts';
import { FAULT_PRESETS, type FaultPlan } from '../twins/faults';
import { parseJson, stringify } from '../world/json';
import { NO_EDITS, readEdits, type WorldEdits } from './edits';
import { LANE_IDS, MAX_LANES, laneKind, readLanes, writeLanes, type LaneSpec } from './lanes';
import { VIEWS } from './views';
import { LIMITS, numberWithin, wantedNumber, type NumberSetting } from './limits';
import { DEFAULT_SAMPLING, FIELDS, type Sampling } from './sampling/fields';

/** What the page can be set to; seeds are integers of 31 bits. What all lanes sample by stands among it. */
export interface Settings extends Sampling {
  /** Part of the page that is on show; see `VIEWS`. */
  view: string;
  family: string;
  worldSeed: number;
  difficulty: number;
  edits: WorldEdits;
  /** Seed of the sampling, one for all lanes. */
  seed: number;
  /** The twin first. */
  lanes: LaneSpec[];
  /** Lane that the others are compared to. */
  against: string;
  /** Faults that steps meet by a plan; a count of 0 means none. */
  faults: FaultPlan;
  /** Steps from the start of a run over which the faults are spread. */
  faultSteps: number;
}

export const DEFAULT_SETTINGS: Settings = {
  view: 'play',
  family: 'support',
  worldSeed: 1,
  difficulty: 1,
  edits: NO_EDITS,
  seed: 1,
  ...DEFAULT_SAMPLING,
  lanes: [{ model: 'twin' }, { model: 'mdlm' }, { model: 'ar' }],
  against: 'twin',
  faults: { preset: 'mixed', count: 0, duration: 1 },
  faultSteps: 8,
};

interface Prop<T> {
  write(value: T): string;
  /** The value, or null when the text is none. */
  read(text: string): T | null;
  /** What the text should have been, for the message. */
  wanted: string;
}

function integer(name: NumberSetting): Prop<number> {
  const limits = LIMITS[name];
  return {
    write: String,
    // Digits only: 1e3 and 0x10 are no numbers of a link.
    read: (text) => (/^\d{1,10}$/.test(text) ? numberWithin(text, limits) : null),
    wanted: wantedNumber(limits),
  };
}

const PROPS: { [K in keyof Settings]: Prop<Settings[K]> & { key: string } } = {
  view: {
    key: 'view',
    write: String,
    read: (text) => VIEWS.find(({ id }) => id === text)?.id ?? null,
    wanted: `one of the page's views (${VIEWS.map(({ id }) => id).join(', ')})`,
  },
  family: {
    key: 'world',
    write: String,
    read: (text) => (/^[a-z][a-z0-9_-]{0,31}$/.test(text) ? text : null),
    wanted: 'the name of a family of worlds',
  },
  worldSeed: { key: 'world-seed', ...integer('worldSeed') },
  difficulty: { key: 'difficulty', ...integer('difficulty') },
  seed: { key: 'seed', ...integer('seed') },
  ...FIELDS,
  lanes: {
    key: 'lanes',
    write: writeLanes,
    read: readLanes,
    wanted: `at most ${MAX_LANES} of ${LANE_IDS.join(', ')}, "twin" once, each with settings it has (mdlm;threshold=0.5)`,
  },
  against: {
    key: 'against',
    write: String,
    read: (text) => (laneKind(text) ? text : null),
    wanted: 'a lane',
  },
  faults: {
    key: 'faults',
    write: formatFaultPlan,
    read: (text) => {
      const parsed = parseFaultPlan(text);
      return parsed.ok ? parsed.value : null;
    },
    wanted: `PRESET:COUNT:DURATION with a preset of ${FAULT_PRESETS.join(', ')}`,
  },
  faultSteps: { key: 'fault-steps', ...integer('faultSteps') },
  edits: {
    key: 'edits',
    write: (edits) => stringify(edits as never),
    read: (text) => {
      const parsed = parseJson(text);
      return parsed.ok ? readEdits(parsed.value) : null;
    },
    wanted: 'edits of a world as JSON',
  },
};

/** The hash of settings, without `#`: the world always, everything else only where it is not the default. */
export function formatHash(settings: Settings): string {
  const params = new URLSearchParams();
  for (const name of Object.keys(PROPS) as (keyof Settings)[]) {
    const text = write(name, settings);
    const always = name === 'family' || name === 'worldSeed';
    if (always || text !== write(name, DEFAULT_SETTINGS)) params.set(PROPS[name].key, text);
  }
  // They are allowed in a fragment (RFC 3986 §3.5) and make the link readable; the first `=` of a pair is the one that counts.
  const readable: { [code: string]: string } = { '%2C': ',', '%3A': ':', '%3B': ';', '%3D': '=' };
  return params.toString().replace(/%(2C|3A|3B|3D)/g, (code) => readable[code] ?? code);
}

function write<K extends keyof Settings>(name: K, settings: Settings): string {
  return PROPS[name].write(settings[name]);
}

/**
 * Reads a hash, with or without `#`. What is missing or wrong takes its default, and wrong values are named in
 * `problems`, one sentence each. Parameters that are not ours are ignored.
 */
export function parseHash(hash: string): { settings: Settings; problems: string[] } {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const settings: Settings = { ...DEFAULT_SETTINGS };
  const problems: string[] = [];
  const take = <K extends keyof Settings>(name: K): void => {
    const { key, read, wanted } = PROPS[name];
    const text = params.get(key);
    if (text === null) return;
    const value = read(text);
    if (value !== null) settings[name] = value;
    else problems.push(`The link's "${key}" is not ${wanted}; the default is used.`);
  };
  for (const name of Object.keys(PROPS) as (keyof Settings)[]) take(name);
  return { settings, problems };
}
