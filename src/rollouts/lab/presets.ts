/** Lanes that a spec gets in a word: best-of-n at rising n, for comparison at equal cost, and the regime for diversity. */
import { regimeOf } from './regime';
import type { LabSimulator } from './spec';
import { NAME, type SpecReader } from './specReader';

/** Best-of-n lanes of every model: how many answers, by which verifier, and at which temperature where the lane's is 0. */
export interface BestOfPreset {
  n: number[];
  verifier: string;
  temperature: number;
}

/** The preset that is used unless told: two, four and eight answers, the likeliest taken. */
export const BEST_OF: BestOfPreset = { n: [2, 4, 8], verifier: 'likely', temperature: 0.7 };

/**
 * The simulators with best-of-n lanes behind each model that has none of its own, named `ID-bestN`. Answers of one prompt at
 * temperature 0 are all the same, so a lane at 0 gets the preset's temperature.
 */
export function withBestOf(
  simulators: readonly LabSimulator[],
  { n, verifier, temperature }: BestOfPreset = BEST_OF,
): LabSimulator[] {
  return simulators.flatMap((lane) => {
    if (lane.kind === 'twin' || lane.options.bestOf || regimeOf(lane).for === 'diversity') return [lane];
    const warm = (lane.options.temperature ?? 0) > 0 ? {} : { temperature };
    const more = n.map((count) => ({
      ...lane,
      id: `${lane.id}-best${count}`,
      options: { ...lane.options, ...warm, bestOf: { n: count, verifier } },
    }));
    return [lane, ...added(more, simulators)];
  });
}

/**
 * The simulators with a lane under `ancestral` behind the first plain lane of each model that has none yet, named
 * `ID-ancestral`: for diversity.
 */
export function withAncestral(simulators: readonly LabSimulator[]): LabSimulator[] {
  const modelOf = ({ kind, models }: LabSimulator) => `${kind} ${models ?? ''}`;
  const seen = new Set(simulators.filter((lane) => regimeOf(lane).for === 'diversity').map(modelOf));
  return simulators.flatMap((lane) => {
    const model = modelOf(lane);
    if (lane.kind === 'twin' || lane.options.bestOf || seen.has(model)) return [lane];
    seen.add(model);
    const sampler = lane.kind === 'mdlm' ? { sampler: { name: 'ancestral' } } : {};
    const more = { ...lane, id: `${lane.id}-ancestral`, options: { temperature: 1, ...sampler } };
    return [lane, ...added([more], simulators)];
  });
}

/**
 * The simulators of a spec with the lanes that its member `presets` asks for: `{"bestOf": {...} or true, "ancestral": true}`.
 * A lane whose name comes out too long is complained of: the spec with its lanes has to be readable again.
 */
export function readPresets(top: SpecReader, simulators: LabSimulator[]): LabSimulator[] {
  if (!top.has('presets')) return simulators;
  const presets = top.at('presets').members('bestOf', 'ancestral');
  let out = simulators;
  if (presets.has('ancestral') && presets.at('ancestral').flag()) out = withAncestral(out);
  if (presets.has('bestOf')) out = withPreset(presets.at('bestOf'), out);
  for (const { id } of out) {
    const long = !simulators.some((lane) => lane.id === id) && !NAME.test(id);
    if (long)
      top.complain(
        'presets',
        `it makes a lane "${id}", whose name has more than 40 characters: shorten the id it is made of`,
      );
  }
  return out;
}

function withPreset(at: SpecReader, out: LabSimulator[]): LabSimulator[] {
  if (!at.isObject()) return at.flag() ? withBestOf(out) : out;
  at.members('n', 'verifier', 'temperature');
  return withBestOf(out, {
    n: at.list('n', BEST_OF.n).map((item) => item.whole(2, 64)),
    verifier: at.text('verifier', BEST_OF.verifier),
    temperature: at.at('temperature', BEST_OF.temperature).number((x) => x > 0, 'a number above 0'),
  });
}

/** Those that are not there already, so that a preset can be applied twice. */
function added(more: readonly LabSimulator[], there: readonly LabSimulator[]): LabSimulator[] {
  return more.filter(({ id }) => !there.some((other) => other.id === id));
}
