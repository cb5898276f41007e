/** What a player may be asked to do in the laboratory. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Check } from '../../world/types';
import { records, type Seeded, type TaskPlan, type TaskTemplate } from '../kit/types';
import { instrumentFor, Plan, pointsOf } from './plan';
import { productOf, stateOf } from './rules';

type Vessel = readonly [id: string, item: JsonObject];

/** More steps at one instrument would bore everybody. */
const MOST_STEPS = 4;

function vessels({ state }: Seeded, empty = false): Vessel[] {
  return Object.entries(records(state, 'vessels')).filter(([, item]) => (item.of === undefined) === empty);
}

function pick(rng: Rng, all: readonly Vessel[]): Vessel | undefined {
  return all.length > 0 ? rng.pick(all) : undefined;
}

/** A plan that begins with a look around in half of the cases. */
function begin(rng: Rng, { state }: Seeded): Plan {
  const plan = new Plan(state);
  return rng.chance(0.5) ? plan.call('look', {}) : plan;
}

const of = (vessel: string, check: string) => `/vessels/${vessel}/${check}`;

/** Heats or cools a vessel until it is warm or cold enough; false when that takes too long. */
function temper(plan: Plan, { state }: Seeded, [id, item]: Vessel, use: 'heat' | 'cool', done: (t: number) => boolean) {
  const tool = instrumentFor(state, use);
  if (!tool) return false;
  plan.bring(id, tool.at);
  let temp = Number(item.temp);
  for (let i = 0; !done(temp); i++) {
    if (i >= MOST_STEPS) return false;
    plan.call(use, { id });
    temp = use === 'heat' ? temp + Number(tool[use]) : temp - Number(tool[use]);
  }
  return true;
}

const phase: TaskTemplate = (rng, world) => {
  const chosen = pick(rng, vessels(world));
  if (!chosen) return null;
  const [id, item] = chosen;
  const { melts, boils } = pointsOf(world.state, item);
  const solid: Check = { path: of(id, 'temp'), op: '<', value: melts };
  const gas: Check = { path: of(id, 'temp'), op: '>=', value: boils };
  const liquid: Check[] = [
    { path: of(id, 'temp'), op: '>=', value: melts },
    { path: of(id, 'temp'), op: '<', value: boils },
  ];
  const now = stateOf(world.state, item);
  const goal =
    now === 'solid'
      ? { verb: 'Melt', use: 'heat' as const, done: (t: number) => t >= melts, checks: liquid }
      : now === 'gaseous'
        ? { verb: 'Condense', use: 'cool' as const, done: (t: number) => t < boils, checks: liquid }
        : rng.chance(0.5)
          ? { verb: 'Boil', use: 'heat' as const, done: (t: number) => t >= boils, checks: [gas] }
          : { verb: 'Freeze', use: 'cool' as const, done: (t: number) => t < melts, checks: [solid] };
  const plan = begin(rng, world);
  if (rng.chance(0.4)) plan.call('look', { at: item.of ?? '' });
  if (!temper(plan, world, chosen, goal.use, goal.done)) return null;
  return { instruction: `${goal.verb} the ${String(item.of)} in ${id}.`, plan: plan.calls, checks: goal.checks };
};

const warm: TaskTemplate = (rng, world) => {
  const chosen = pick(rng, vessels(world));
  if (!chosen) return null;
  const [id, item] = chosen;
  const use = rng.pick(['heat', 'cool'] as const);
  const bound = Number(item.temp) + (use === 'heat' ? rng.int(5, 50) : -rng.int(3, 40));
  if (bound < 2) return null;
  const room = rng.pick(Object.keys(records(world.state, 'rooms')));
  const plan = begin(rng, world);
  if (!temper(plan, world, chosen, use, (t) => (use === 'heat' ? t >= bound : t <= bound))) return null;
  const most = use === 'heat' ? 'at least' : 'at most';
  return {
    instruction: `Bring ${id} to ${most} ${bound} degrees and leave it in the ${room}.`,
    plan: plan.leave(id, room).calls,
    checks: [
      { path: of(id, 'temp'), op: use === 'heat' ? '>=' : '<=', value: bound },
      { path: of(id, 'at'), op: '==', value: room },
    ],
  };
};

/** Two vessels whose contents react. */
function reagents(rng: Rng, world: Seeded): { from: Vessel; into: Vessel; gives: string } | null {
  for (const from of rng.shuffle(vessels(world)))
    for (const into of rng.shuffle(vessels(world))) {
      const gives = productOf(world.state, from[1], into[1]);
      if (gives !== undefined && from[0] !== into[0]) return { from, into, gives };
    }
  return null;
}

const make: TaskTemplate = (rng, world) => {
  const found = reagents(rng, world);
  if (!found) return null;
  const { from, into, gives } = found;
  const plan = begin(rng, world);
  if (rng.chance(0.4)) plan.call('look', { at: gives });
  return {
    instruction: `Make ${gives} in ${into[0]}.`,
    plan: plan.join(from[0], into[0]).call('mix', { from: from[0], into: into[0] }).calls,
    checks: [{ path: of(into[0], 'of'), op: '==', value: gives }],
  };
};

/** Carries a vessel to the instrument that measures it. */
function measured(plan: Plan, { state }: Seeded, vessel: string, what: 'temp' | 'mass'): Plan | null {
  const tool = instrumentFor(state, what);
  return tool ? plan.bring(vessel, tool.at).call('measure', { id: vessel, with: tool.id }) : null;
}

/** A parameter of a rule that sets how something works; 0 when the world does not have the rule. */
function degrees(world: Seeded, id: string): number {
  return Number(world.rules.find((rule) => rule.id === id)?.params.degrees ?? 0);
}

const NAMES = { temp: 'temperature', mass: 'mass' } as const;

const measure: TaskTemplate = (rng, world): TaskPlan | null => {
  const chosen = pick(rng, vessels(world));
  const what = rng.pick(['temp', 'mass'] as const);
  const plan = chosen && measured(begin(rng, world), world, chosen[0], what);
  if (!plan) return null;
  const value = Number(chosen[1][what]) - (what === 'temp' ? degrees(world, 'offset') : 0);
  return {
    instruction: `Log the ${NAMES[what]} of ${chosen[0]}.`,
    plan: plan.calls,
    checks: [{ path: `/log/${chosen[0]}/${what}`, op: '==', value }],
  };
};

const makeAndMeasure: TaskTemplate = (rng, world) => {
  const found = reagents(rng, world);
  const what = rng.pick(['temp', 'mass'] as const);
  if (!found) return null;
  const { from, into, gives } = found;
  const plan = begin(rng, world).join(from[0], into[0]).call('mix', { from: from[0], into: into[0] });
  if (!measured(plan, world, into[0], what)) return null;
  const both = Number(from[1][what]) + Number(into[1][what]);
  const value = what === 'mass' ? both : Math.floor(both / 2) + degrees(world, 'reaction') - degrees(world, 'offset');
  return {
    instruction: `Make ${gives} in ${into[0]} and log its ${NAMES[what]}.`,
    plan: plan.calls,
    checks: [
      { path: of(into[0], 'of'), op: '==', value: gives },
      { path: `/log/${into[0]}/${what}`, op: '==', value },
    ],
  };
};

const portion: TaskTemplate = (rng, world) => {
  const from = pick(rng, vessels(world));
  const into = pick(rng, vessels(world, true));
  if (!from || !into) return null;
  const mass = Number(from[1].mass);
  const g = rng.chance(0.2) ? mass : rng.int(5, mass);
  const plan = begin(rng, world).join(from[0], into[0]);
  return {
    instruction: `Pour ${g} g of ${String(from[1].of)} from ${from[0]} into ${into[0]}.`,
    plan: plan.call('pour', { from: from[0], into: into[0], g }).calls,
    checks: [
      { path: of(into[0], 'of'), op: '==', value: from[1].of ?? '' },
      { path: of(into[0], 'mass'), op: '==', value: g },
    ] as Check[],
  };
};

const store: TaskTemplate = (rng, world) => {
  const [id, item] = pick(rng, [...vessels(world), ...vessels(world, true)]) ?? [];
  if (id === undefined || !item) return null;
  const room = rng.pick(Object.keys(records(world.state, 'rooms')).filter((name) => name !== item.at));
  return {
    instruction: `Put ${id} in the ${room}.`,
    plan: begin(rng, world).leave(id, room).calls,
    checks: [{ path: of(id, 'at'), op: '==', value: room }],
  };
};

/** The templates by name. */
export const TASKS: { readonly [name: string]: TaskTemplate } = {
  phase,
  warm,
  make,
  measure,
  make_and_measure: makeAndMeasure,
  portion,
  store,
};
