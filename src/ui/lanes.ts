/** Which lanes the page has and what each sets apart from the settings all share, as text of the link and of a record. */
import type { RunHeader, StepRecord } from '../rollouts';
import { FIELDS, FIELD_NAMES, writeField, type Sampling, type SamplingField } from './sampling/fields';
import { ownSettings, settingsOf } from './sampling/options';

/** What can stand behind a lane. */
export const LANE_IDS = ['twin', 'mdlm', 'ar', 'ar-transformers'] as const;
export type LaneId = (typeof LANE_IDS)[number];
export const MAX_LANES = 6;

/** A lane: its model, and its own values of settings; what is absent is as in the settings of the page. */
export interface LaneSpec extends Partial<Sampling> {
  model: LaneId;
}

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
  const field = (lane: LaneSpec) => (name: SamplingField) =>
    lane[name] === undefined ? [] : [`${FIELDS[name].key}=${writeField(name, lane[name])}`];
  return lanes.map((lane) => [lane.model, ...FIELD_NAMES.flatMap(field(lane))].join(';')).join(',');
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
    const field = FIELD_NAMES.find((one) => FIELDS[one].key === key && FIELDS[one].models.includes(model));
    const read = field && FIELDS[field].read(value.join('='));
    if (!field || read === null || lane[field] !== undefined) return null;
    lane = { ...lane, [field]: read };
  }
  // In the order of the table, so that writing and reading give one text.
  const own = FIELD_NAMES.filter((one) => lane[one] !== undefined);
  return { model, ...Object.fromEntries(own.map((one) => [one, lane[one]])) };
}

/**
 * The lanes a recorded run goes on with, as far as the page knows them, the twin always. Several lanes of one model have
 * the settings of their last recorded step; all others are as the page has them.
 */
export function lanesOfRun(
  header: Pick<RunHeader, 'lanes'>,
  last: Pick<StepRecord, 'results'> | undefined,
  now: Sampling & { lanes: readonly LaneSpec[] },
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
    if (several && sampler) {
      const { provider } = known ?? {};
      out.push({ model, ...ownSettings(model, settingsOf(sampler), now), ...(provider ? { provider } : {}) });
    } else out.push(known ?? { model });
  }
  return out;
}
