/** Makes a laboratory: rooms in a row, instruments in them, vessels with substances, and what mixes into what. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import { keyed, word, words } from '../kit/ids';
import type { Params, Seeded } from '../kit/types';
import { HAND, INSTRUMENTS, ROOMS, SUBSTANCES, VESSELS } from './words';

type Use = keyof typeof INSTRUMENTS;
const USES = Object.keys(INSTRUMENTS) as Use[];

/** Names such as `cup3`, all different; a world has one way of joining word and number. */
function naming(rng: Rng): (noun: string) => string {
  const mark = rng.pick(['', '', '', '_', '-']);
  const used = new Set<string>();
  return (noun) => {
    for (;;) {
      const name = `${noun}${mark}${rng.int(1, rng.chance(0.8) ? 9 : 60)}`;
      if (used.has(name)) continue;
      used.add(name);
      return name;
    }
  };
}

function instrument(rng: Rng, use: Use, at: string): JsonObject {
  if (use === 'heat') return { at, heat: rng.int(8, 30), to: rng.int(80, 150) };
  if (use === 'cool') return { at, cool: rng.int(6, 25), to: rng.int(1, 9) };
  return { at, reads: use };
}

/**
 * A world of the family.
 * @param difficulty 1 to 3
 */
export function generate(rng: Rng, difficulty: number): Seeded {
  const name = naming(rng);
  const roomNames = words(rng, ROOMS, difficulty > 2 || (difficulty > 1 && rng.chance(0.25)) ? 3 : 2);
  // Each room but the last opens into the next; the last one back into the one before it.
  const rooms = keyed(roomNames, (_, i) => ({ door: roomNames[i + 1] ?? roomNames[i - 1] ?? '' }));
  const substances = words(rng, SUBSTANCES, difficulty > 2 ? 5 : 3, 0.4);
  const [a = '', b = '', c = '', d = '', e = ''] = substances;
  const mixes: JsonObject = { m1: { a, b, gives: c } };
  if (e !== '') mixes.m2 = { a: rng.pick([a, c]), b: d, gives: e };
  const filled = difficulty > 2 ? rng.shuffle([a, b, d]) : rng.shuffle([a, b]);
  if (difficulty === 2 && rng.chance(0.25)) filled.push(rng.pick([a, b, c]));
  const contents = [...filled, undefined];
  const vessels = contents.map((of): [string, JsonObject] => {
    const at = rng.chance(0.12) ? HAND : rng.pick(roomNames);
    const content: JsonObject = of === undefined ? {} : { of, mass: rng.int(11, 60), temp: rng.int(8, 70) };
    return [name(word(rng, VESSELS, 0.2)), { at, ...content }];
  });
  const uses = rng.sample(USES, difficulty > 2 || (difficulty > 1 && rng.chance(0.5)) ? 4 : 3);
  const tools = uses.map((use): [string, JsonObject] => [
    name(word(rng, INSTRUMENTS[use], 0.2)),
    instrument(rng, use, rng.pick(roomNames)),
  ]);
  const state = {
    rooms,
    instruments: Object.fromEntries(tools),
    substances: keyed(rng.shuffle(substances), () => {
      const melts = rng.int(10, 50);
      return { melts, boils: melts + rng.int(20, 60) };
    }),
    mixes,
    vessels: Object.fromEntries(rng.shuffle(vessels)),
    log: {},
    you: { at: rng.pick(roomNames) },
  };
  // What cannot be done somewhere should be what could be done there.
  const forbidden = [
    ...['mixing', 'pouring'].map((doing) => ({ doing, room: rng.pick(roomNames) })),
    ...tools.flatMap(([, { at = '', ...use }]) =>
      'to' in use ? [{ doing: 'heat' in use ? 'heating' : 'cooling', room: String(at) }] : [],
    ),
  ];
  const contained = vessels.flatMap(([, item]) => ('of' in item ? [item] : []));
  const some = rng.pick(contained);
  const fullest = Math.max(...contained.map(({ mass }) => Number(mass)));
  const rules: { id: string; params: Params }[] = [
    { id: 'hot', params: { max: rng.int(30, 60) } },
    { id: 'carry', params: { max: rng.int(1, 2) } },
    { id: 'room', params: { ...rng.pick(forbidden) } },
    { id: 'state', params: { state: rng.pick(['solid', 'gaseous', 'liquid']) } },
    { id: 'delicate', params: { substance: String(some.of), max: Number(some.temp) + rng.int(5, 25) } },
    { id: 'full', params: { max: fullest + rng.int(1, 15) } },
    { id: 'reaction', params: { degrees: rng.int(2, 30) } },
    { id: 'offset', params: { degrees: rng.int(1, 9) } },
  ];
  return {
    title: 'Laboratory',
    state,
    rules: rng.sample(rules, difficulty > 2 || (difficulty > 1 && rng.chance(0.5)) ? 3 : 2),
  };
}
