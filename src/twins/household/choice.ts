/** Rules for a house: which ones, and of what they speak. */
import type { Rng } from '../../world/rng';
import type { Params, Records } from '../kit/types';
import { DONE } from './rules';
import { HAND } from './text';
import { MEMBER, type Use } from './words';

type Choice = { id: string; params: Params };

/** Whether something can be done at a receptacle. */
export function isGoodFor(use: string, place: Records[string] | undefined): boolean {
  return place?.[MEMBER[use as Use]] !== undefined;
}

/**
 * `n` rules that fit the house, one or two of them about what is put down or treated. Most speak of what is at hand, the
 * place where the agent stands and what it holds, so that they are met.
 */
export function chooseRules(rng: Rng, n: number, here: string, receptacles: Records, objects: Records): Choice[] {
  const all = Object.keys(receptacles);
  const things = Object.values(objects);
  const inHand = things.find(({ at }) => at === HAND);
  const near = (places: readonly string[]) => (places.includes(here) && rng.chance(0.7) ? here : rng.pick(places));
  const fit = [...onThings(rng, here, receptacles, things, near)];

  const others: Choice[] = [{ id: 'hands', params: { max: rng.int(2, 3) } }];
  const doors = all.filter((id) => receptacles[id]?.door !== undefined);
  if (doors.length > 0) others.push({ id: 'shut', params: { place: near(doors) } });
  const room = receptacles[near(all)]?.room;
  const kind = String((inHand && rng.chance(0.6) ? inHand : rng.pick(things)).kind);
  if (room !== undefined) others.push({ id: 'keep_room', params: { kind, room: String(room) } });
  const lamp = all.find((id) => isGoodFor('light', receptacles[id]));
  const unlit = all.filter((id) => id !== lamp);
  if (lamp !== undefined) others.push({ id: 'dark', params: { place: near(unlit), lamp } });

  const some = rng.sample(fit, n > 2 ? 2 : 1);
  return rng.shuffle([...some, ...rng.sample(others, n - some.length)]);
}

/** Rules on what is put down, cleaned, heated or cooled. */
function onThings(
  rng: Rng,
  here: string,
  receptacles: Records,
  things: readonly Records[string][],
  near: (places: readonly string[]) => string,
): Choice[] {
  const all = Object.keys(receptacles);
  const inHand = things.find(({ at }) => at === HAND);
  const out: Choice[] = [{ id: 'clean_only', params: { place: near(all) } }];
  // Where things are heated, no rule forbids what is hot.
  const mild = all.filter((id) => !isGoodFor('heat', receptacles[id]));
  const max = inHand && rng.chance(0.5) ? Number(inHand.temp) - 1 : rng.int(18, 60);
  out.push({ id: 'too_hot', params: { place: near(mild), max } });
  const taken = all.filter((id) => things.some(({ at }) => at === id));
  if (taken.length > 0) {
    const place = near(taken);
    out.push({ id: 'max_in', params: { place, max: things.filter(({ at }) => at === place).length } });
  }
  const uses = Object.keys(DONE).filter((use) => all.some((id) => isGoodFor(use, receptacles[id])));
  const use = uses.find((one) => isGoodFor(one, receptacles[here])) ?? rng.pick([...uses, '']);
  const others = things.filter((thing) => thing.kind !== inHand?.kind);
  const kind = String(rng.pick(others.length > 0 ? others : things).kind);
  if (use !== '') out.push({ id: 'only_kind', params: { kind, done: DONE[use] ?? '' } });
  return out;
}
