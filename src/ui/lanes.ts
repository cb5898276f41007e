/**
 * Which lanes the page has and what each sets apart from the settings all share: as text of the link, as options of a
 * step, and as what a lane's header names.
 */
import type { SamplerName } from '../models/diffusion/samplers';
import type { RunHeader, StepRecord } from '../rollouts';
import type { StepOptions } from '../world/simulator';
import { LIMITS, PROVIDERS, type ProviderChoice } from './limits';

/** What can stand behind a lane. */
export const LANE_IDS = ['twin', 'mdlm', 'ar', 'ar-transformers'] as const;
export type LaneId = (typeof LANE_IDS)[number];
export const MAX_LANES = 6;

/** Samplers of the MDLM, with their default parameters; `threshold` is the one that `StepOptions.threshold` belongs to. */
export const LANE_SAMPLERS = [
  'threshold',
  'confidence',
  'entropy-budget',
  'ancestral',
  'remask',
] as const satisfies readonly SamplerName[];

/** A lane: its model, and its own values of settings; what is absent is as in the settings of the page. */
export interface LaneSpec {
  model: LaneId;
  temperature?: number;
  topP?: number;
  threshold?: number;
  sampler?: (typeof LANE_SAMPLERS)[number];
  provider?: ProviderChoice;
}
export type LaneField = Exclude<keyof LaneSpec, 'model'>;

/** What all lanes share unless they say otherwise. */
export interface SharedSettings {
  temperature: number;
  topP: number;
  threshold: number;
  provider: ProviderChoice;
}

const MODELS: readonly LaneId[] = ['mdlm', 'ar', 'ar-transformers'];
const number = (name: 'temperature' | 'topP' | 'threshold') => (text: string) => {
  const value = text.trim() === '' ? NaN : Number(text);
  return value >= LIMITS[name].min && value <= LIMITS[name].max ? value : null;
};
const oneOf =
  <T extends string>(all: readonly T[]) =>
  (text: string) =>
    all.find((name) => name === text) ?? null;

/** The settings a lane can have of its own: the lanes they mean something to, and how the link and the page call them. */
export const LANE_FIELDS: {
  readonly [K in LaneField]: {
    key: string;
    label: string;
    models: readonly LaneId[];
    read: (text: string) => NonNullable<LaneSpec[K]> | null;
  };
} = {
  temperature: { key: 'temperature', label: 'temperature', models: MODELS, read: number('temperature') },
  topP: { key: 'top-p', label: 'top-p', models: MODELS, read: number('topP') },
  threshold: { key: 'threshold', label: 'threshold', models: ['mdlm'], read: number('threshold') },
  sampler: { key: 'sampler', label: 'sampler', models: ['mdlm'], read: oneOf(LANE_SAMPLERS) },
  provider: { key: 'provider', label: 'runs on', models: MODELS, read: oneOf(PROVIDERS) },
};
const FIELDS = Object.keys(LANE_FIELDS) as LaneField[];

/** Ids of lanes: the first of a model is called as the model, the next ones get a number: `mdlm`, `mdlm-2`. */
export function laneIdsOf(lanes: readonly Pick<LaneSpec, 'model'>[]): string[] {
  return lanes.map(({ model }, i) => {
    const n = lanes.slice(0, i + 1).filter((lane) => lane.model === model).length;
    return n === 1 ? model : `${model}-${n}`;
  });
}

/** The model of a lane id and its number among the lanes of that model; null for ids this page does not give. */
export function laneKind(id: string): { model: LaneId; n: number } | null {
  const [, name = '', n] = /^(.+?)(?:-([2-6]))?$/.exec(id) ?? [];
  const model = LANE_IDS.find((candidate) => candidate === name);
  return model ? { model, n: n === undefined ? 1 : Number(n) } : null;
}

/** `mdlm;threshold=0.5,ar`: lanes as the link has them. */
export function writeLanes(lanes: readonly LaneSpec[]): string {
  const field = (lane: LaneSpec) => (name: LaneField) =>
    lane[name] === undefined ? [] : [`${LANE_FIELDS[name].key}=${lane[name]}`];
  return lanes.map((lane) => [lane.model, ...FIELDS.flatMap(field(lane))].join(';')).join(',');
}

/** Lanes of a link, the twin first; null when the text is none: one twin, at most six lanes, settings that they have. */
export function readLanes(text: string): LaneSpec[] | null {
  const lanes = text.split(',').map(readLane);
  const twins = lanes.filter((lane) => lane?.model === 'twin');
  if (twins.length !== 1 || lanes.length > MAX_LANES || lanes.includes(null)) return null;
  return [...twins, ...lanes.filter((lane) => lane?.model !== 'twin')] as LaneSpec[];
}

function readLane(text: string): LaneSpec | null {
  const [name, ...parts] = text.split(';');
  const model = LANE_IDS.find((id) => id === name);
  if (!model) return null;
  let lane: LaneSpec = { model };
  for (const part of parts) {
    const [key = '', ...value] = part.split('=');
    const field = FIELDS.find((one) => LANE_FIELDS[one].key === key && LANE_FIELDS[one].models.includes(model));
    const read = field && LANE_FIELDS[field].read(value.join('='));
    if (!field || read === null || lane[field] !== undefined) return null;
    lane = { ...lane, [field]: read };
  }
  // In the order of the table, so that writing and reading give one text.
  return { model, ...Object.fromEntries(FIELDS.flatMap((one) => (lane[one] === undefined ? [] : [[one, lane[one]]]))) };
}

/** What a lane sets in its steps; a sampler beside `threshold` takes the place of the threshold. */
export function optionsOf({ temperature, topP, threshold, sampler }: LaneSpec): Partial<StepOptions> {
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(sampler === undefined || sampler === 'threshold' ? {} : { sampler: { name: sampler } }),
  };
}

/**
 * For each lane the settings in which the lanes that have them differ, as its header names them: `threshold 0.5`. The
 * threshold counts only for lanes that sample by it.
 */
export function laneDifferences(lanes: readonly LaneSpec[], shared: SharedSettings): string[][] {
  const all: SharedSettings & { sampler: LaneSpec['sampler'] } = { ...shared, sampler: 'threshold' };
  const valueOf = (lane: LaneSpec, field: LaneField) => {
    const idle = field === 'threshold' && (lane.sampler ?? 'threshold') !== 'threshold';
    return idle || !LANE_FIELDS[field].models.includes(lane.model) ? undefined : (lane[field] ?? all[field]);
  };
  const differ = FIELDS.filter((field) => {
    const values = lanes.map((lane) => valueOf(lane, field)).filter((value) => value !== undefined);
    return new Set(values).size > 1;
  });
  return lanes.map((lane) =>
    differ.flatMap((field) => {
      const value = valueOf(lane, field);
      return value === undefined ? [] : [`${LANE_FIELDS[field].label} ${value}`];
    }),
  );
}

/**
 * The lanes a recorded run goes on with, as far as the page knows them, the twin always. Several lanes of one model have
 * the settings of their last recorded step; all others are as the page has them.
 */
export function lanesOfRun(
  header: Pick<RunHeader, 'lanes'>,
  last: Pick<StepRecord, 'results'> | undefined,
  now: SharedSettings & { lanes: readonly LaneSpec[] },
): LaneSpec[] {
  const ids = laneIdsOf(now.lanes);
  const out: LaneSpec[] = [{ model: 'twin' }];
  for (const { id } of header.lanes) {
    const model = laneKind(id)?.model;
    if (!model || model === 'twin' || out.length === MAX_LANES) continue;
    // A gap in the numbers would give the lane another name.
    if (laneIdsOf([...out, { model }]).at(-1) !== id) continue;
    const several = header.lanes.filter((lane) => laneKind(lane.id)?.model === model).length > 1;
    const known = now.lanes[ids.indexOf(id)];
    const sampler = last?.results[id]?.sampler;
    if (several && sampler) out.push(recordedLane(model, sampler, now, known?.provider));
    else out.push(known ?? { model });
  }
  return out;
}

function recordedLane(
  model: LaneId,
  recorded: Partial<StepOptions>,
  now: SharedSettings,
  provider: ProviderChoice | undefined,
): LaneSpec {
  const own = (['temperature', 'topP', 'threshold'] as const).filter(
    (name) => LANE_FIELDS[name].models.includes(model) && recorded[name] !== undefined && recorded[name] !== now[name],
  );
  const sampler = LANE_SAMPLERS.find((name) => name === recorded.sampler?.name && name !== 'threshold');
  return {
    model,
    ...Object.fromEntries(own.map((name) => [name, recorded[name]])),
    ...(sampler && model === 'mdlm' ? { sampler } : {}),
    ...(provider ? { provider } : {}),
  };
}
