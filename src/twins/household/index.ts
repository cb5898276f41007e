/** A household in the style of text adventures (after ALFWorld): rooms, receptacles, things, one pair of hands. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import { coined, word, words } from '../kit/ids';
import type { Family, Records, Seeded } from '../kit/types';
import { chooseRules, isGoodFor } from './choice';
import { DONE } from './rules';
import { TASKS } from './tasks';
import { HAND } from './text';
import { PROGRAM } from './tools';
import { APPLIANCES, KINDS, MEMBER, ROOMS, WITH_DOOR, WITHOUT_DOOR, type Use } from './words';

const USES: readonly Use[] = ['clean', 'heat', 'cool', 'light'];

/** Names such as `apple_2`, all different; a world has one way of joining word and number. */
class Namer {
  private readonly used = new Set<string>();
  private readonly mark: string;

  constructor(private readonly rng: Rng) {
    this.mark = rng.pick(['_', '_', '-', '']);
  }

  name(noun: string): string {
    for (;;) {
      const id = `${noun}${this.mark}${this.rng.int(1, this.rng.chance(0.8) ? 9 : 40)}`;
      if (this.used.has(id)) continue;
      this.used.add(id);
      return id;
    }
  }
}

function generate(rng: Rng, difficulty: number): Seeded {
  const namer = new Namer(rng);
  // A house of one room needs no names of rooms.
  const rooms = difficulty > 2 || (difficulty > 1 && rng.chance(0.5)) ? words(rng, ROOMS, 2, 0.2) : [];
  const receptacles = places(rng, namer, rooms, difficulty);
  const objects = things(rng, namer, Object.keys(receptacles), difficulty < 3 ? rng.int(2, 3) : rng.int(3, 5));
  // More often than not something is in the hand already: that is when the rules of the house are met.
  const inHand = rng.chance(0.6) ? rng.pick(Object.values(objects)) : undefined;
  if (inHand) Object.assign(inHand, { at: HAND, clean: rng.chance(0.3) });
  const open = Object.keys(receptacles).filter((id) => !inHand || receptacles[id]?.door !== 'closed');
  const useful = open.filter((id) => Object.keys(DONE).some((use) => isGoodFor(use, receptacles[id])));
  const at = rng.pick(useful.length > 0 && rng.chance(0.3) ? useful : open);
  const rules = chooseRules(rng, rng.int(2, difficulty > 2 ? 4 : 3), at, receptacles, objects);
  return { title: 'Household', state: { receptacles, objects, agent: { at } }, rules };
}

/** Two or three appliances and two or three places to keep things, in any order. */
function places(rng: Rng, namer: Namer, rooms: readonly string[], difficulty: number): Records {
  const doorState = (door: boolean): JsonObject => (door ? { door: rng.chance(0.75) ? 'closed' : 'open' } : {});
  const make = (door: boolean, list: readonly string[], use: JsonObject): [string, JsonObject] => [
    namer.name(word(rng, list, 0.2)),
    { ...(rooms.length > 0 ? { room: rng.pick(rooms) } : {}), ...doorState(door), ...use },
  ];
  const all = rng.sample(USES, difficulty > 1 ? rng.int(2, 3) : 2).map((use) => {
    const door = rng.chance(0.5);
    return make(door, APPLIANCES[use][door ? 'door' : 'open'], purpose(rng, use));
  });
  for (const door of [true, false, rng.chance(0.5)].slice(0, difficulty > 2 ? 3 : 2))
    all.push(make(door, door ? WITH_DOOR : WITHOUT_DOOR, {}));
  return Object.fromEntries(rng.shuffle(all));
}

function purpose(rng: Rng, use: Use): JsonObject {
  const value = { clean: true, heat: rng.int(55, 95), cool: rng.int(2, 12), light: rng.chance(0.8) ? 'off' : 'on' };
  return { [MEMBER[use]]: value[use] };
}

/** Objects of two or three kinds; now and then two that differ in their number only. */
function things(rng: Rng, namer: Namer, at: readonly string[], n: number): Records {
  const kinds = rng
    .sample(Object.keys(KINDS), n > 3 ? 3 : 2)
    .map((kind) => (rng.chance(0.2) ? { kind: coined(rng), nouns: [] } : { kind, nouns: KINDS[kind] ?? [] }));
  let last: { kind: string; noun: string } | undefined;
  const make = (): [string, JsonObject] => {
    const { kind, nouns } = rng.pick(kinds);
    last = last && rng.chance(0.25) ? last : { kind, noun: nouns.length > 0 ? word(rng, nouns, 0.2) : coined(rng) };
    return [namer.name(last.noun), { kind: last.kind, at: rng.pick(at), clean: rng.chance(0.45), temp: warmth(rng) }];
  };
  return Object.fromEntries(rng.shuffle(Array.from({ length: n }, make)));
}

function warmth(rng: Rng): number {
  if (rng.chance(0.6)) return rng.int(16, 27);
  return rng.chance(0.6) ? rng.int(40, 90) : rng.int(2, 9);
}

export const household: Family = {
  name: 'household',
  title: 'Household',
  line: 'A house as a text adventure: walk, open, take, put, clean, heat, cool, hold things to the light.',
  heldOut: true,
  failCodes: ['stuck', 'too_dark', 'slipped', 'interrupted'],
  program: () => PROGRAM,
  generate,
  tasks: () => TASKS,
};
