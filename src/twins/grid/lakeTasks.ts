/** Maps for walks, and errands on them. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check } from '../../world/types';
import { drawState } from '../kit/draws';
import { ids, keyed, words } from '../kit/ids';
import { records, type Seeded } from '../kit/types';
import { cellOf, DIRS, findSign, mapState, shuffledCells } from './board';
import { has, shortest, type Kind, type Quest } from './kind';
import { lakeProgram } from './lake';
import { GOALS, HOLES, NAMES, THINGS, WALLS } from './words';

function generate(rng: Rng, difficulty: number): Seeded {
  const [height, width] = [rng.int(3, 2 + difficulty), rng.int(3, 3 + difficulty)];
  const [wall, hole] = [rng.pick(WALLS), rng.pick(HOLES)];
  const free = rng.pick(['.', '-']);
  const rows = Array.from({ length: height }, () => Array<string>(width).fill(free));
  const cells = shuffledCells(rng, height, width);
  const put = (sign: string, cell = cells.pop()) => {
    const row = cell && rows[cell.row - 1];
    if (cell && row) row[cell.col - 1] = sign;
  };
  put(rng.pick(GOALS));
  for (let n = rng.int(1, difficulty + 1); n > 0; n--) put(wall);
  for (let n = rng.int(1, difficulty + 1); n > 0; n--) put(hole);
  const counts = rng.chance(0.5);
  const place = (): JsonObject => ({ ...(cells.pop() ?? { row: 1, col: 1 }) });
  const names = words(rng, NAMES, difficulty > 1 ? rng.int(1, 2) : 1, 0.5);
  const walkers = keyed(names, () => ({ ...place(), state: 'fine', ...(counts ? { steps: 0 } : {}) }));
  const start = Object.values(walkers)[0] as JsonObject;
  const labels = words(rng, THINGS, 2, 0.4);
  const held = rng.chance(0.5);
  const things = keyed(ids(rng, held ? 2 : rng.int(1, 2)), (_, i) => ({
    name: labels[i] ?? '',
    ...(held && i > 0 ? cellOf(start) : place()),
    by: held && i > 0 ? (names[0] ?? '') : 'none',
  }));
  const wind = rng.chance(0.65);
  return {
    title: 'Walk',
    state: { map: mapState(rows), walkers, things, ...(wind ? drawState(rng, rng.int(4, 5), 1, 6) : {}) },
    rules: [
      { id: 'wall', params: { sign: wall } },
      rng.chance(0.5)
        ? { id: 'hole_end', params: { sign: hole } }
        : { id: 'hole_back', params: { sign: hole, row: Number(start.row), col: Number(start.col) } },
      ...(wind ? [{ id: 'wind', params: { max: rng.int(1, 3), dir: rng.pick(DIRS) } }] : []),
      ...(counts ? [{ id: 'steps', params: { max: rng.int(3, 7) } }] : []),
      ...(held && !(counts && wind) ? [{ id: 'carry', params: { max: 1 } }] : []),
    ],
    spec: { kind: 'lake', wind },
  };
}

/** What a walker is to reach: a cell, a thing, or both in this order. */
function errand(rng: Rng, world: Seeded, wants: { goal: boolean; thing: boolean }) {
  const { state } = world;
  const name = rng.pick(Object.keys(records(state, 'walkers')));
  const [id, item] = rng.pick(Object.entries(records(state, 'things')));
  const sign = GOALS.find((one) => findSign(state, 'map', one)) ?? '';
  const cell = findSign(state, 'map', sign);
  if (!cell) return null;
  const moves: Action[] = DIRS.map((dir) => ({ tool: 'move', args: { who: name, dir } }));
  const handling: Action[] = [
    { tool: 'take', args: { who: name, thing: id } },
    ...Object.entries(records(state, 'things')).flatMap(([other, { by }]) =>
      by === name && other !== id ? [{ tool: 'drop', args: { who: name, thing: other } }] : [],
    ),
  ];
  const waits: Action[] = world.spec?.wind === true ? [{ tool: 'wait', args: {} }] : [];
  const quest: Quest = {
    actions: [...moves, ...(wants.thing ? handling : []), ...waits],
    done: (now) =>
      (!wants.goal || has(now, ['walkers', name], { ...cell })) &&
      (!wants.thing || has(now, ['things', id], { by: name })),
    depth: 9,
    counter: ['walkers', name, 'steps'],
  };
  const plan = shortest(lakeProgram(world.spec ?? {}), world, quest);
  if (!plan || plan.length < 2) return null;
  const checks: Check[] = [
    ...(wants.thing ? [{ path: `/things/${id}/by`, op: '==' as const, value: name }] : []),
    ...(wants.goal
      ? Object.entries(cell).map(([key, value]) => ({
          path: `/walkers/${name}/${key}`,
          op: '==' as const,
          value: value as number,
        }))
      : []),
  ];
  const looks: Action[] = [
    { tool: 'look', args: { who: name } },
    { tool: 'map', args: {} },
    ...(wants.thing ? [{ tool: 'thing', args: { id } }] : []),
    ...plan.slice(0, 1).flatMap((call) => ('tool' in call && call.tool === 'move' ? [{ ...call, tool: 'peek' }] : [])),
  ];
  const label = `the ${String(item?.name)} ${id}`;
  return { name, sign, label, checks, plan: [...(rng.chance(0.6) ? [rng.pick(looks)] : []), ...plan] };
}

export const lake: Kind = {
  program: lakeProgram,
  generate,
  tasks: () => ({
    walk: (rng, world) => {
      const found = errand(rng, world, { goal: true, thing: false });
      if (!found) return null;
      const { name, sign, plan, checks } = found;
      const text = rng.pick([
        `Bring ${name} to ${sign}.`,
        `${name} has to get to ${sign}.`,
        `Lead ${name} to ${sign} safely.`,
      ]);
      return { instruction: text, plan, checks };
    },
    fetch: (rng, world) => {
      const found = errand(rng, world, { goal: false, thing: true });
      if (!found) return null;
      const { name, label, plan, checks } = found;
      const text = rng.pick([`${name} needs ${label}.`, `Let ${name} fetch ${label}.`, `Get ${label} for ${name}.`]);
      return { instruction: text, plan, checks };
    },
    carry: (rng, world) => {
      const found = errand(rng, world, { goal: true, thing: true });
      if (!found) return null;
      const { name, label, sign, plan, checks } = found;
      const text = rng.pick([`${name} brings ${label} to ${sign}.`, `Let ${name} carry ${label} to ${sign}.`]);
      return { instruction: text, plan, checks };
    },
  }),
};
