/** What people ask for in a household: the six kinds of tasks of ALFWorld. */
import type { Rng } from '../../world/rng';
import { pointerKey } from '../../world/checks';
import type { JsonObject, JsonScalar } from '../../world/json';
import type { Check } from '../../world/types';
import type { Seeded, TaskPlan, TaskTemplate } from '../kit/types';
import { Planner, type Treatment } from './plan';
import { HAND, preposition } from './text';
import { MEMBER } from './words';

/** Every template by its name. */
export const TASKS: { readonly [name: string]: TaskTemplate } = {
  place: (rng, world) => {
    const planner = started(rng, world);
    const id = pickOf(rng, planner, Object.keys(planner.objects));
    const target = targetOf(rng, planner, [id]);
    if (target === undefined) return null;
    bring(rng, planner, id, target);
    const to = where(world, target);
    const instruction = rng.pick([
      `Put the ${id} ${to}.`,
      `The ${id} belongs ${to}.`,
      `Find the ${id} and put it ${to}.`,
    ]);
    return { instruction, plan: planner.calls, checks: [at(id, target)] };
  },

  two: (rng, world) => {
    const planner = started(rng, world);
    const group = rng.chance(0.5) ? kindOf(rng, planner) : undefined;
    const ids = group?.ids ?? rng.sample(Object.keys(planner.objects), 2);
    const target = targetOf(rng, planner, ids, group !== undefined);
    if (target === undefined) return null;
    // What is in the hands already goes first.
    const held = (id: string) => Number(planner.objects[id]?.at === HAND);
    const moved = ids.filter((id) => planner.objects[id]?.at !== target).sort((a, b) => held(b) - held(a));
    const together = planner.hands >= moved.length;
    for (const id of moved) {
      planner.take(id, together ? moved : []);
      if (!together) planner.put(id, target);
    }
    if (together) for (const id of moved) planner.prepare(id, target);
    if (together) for (const id of moved) planner.put(id, target);
    const things = group ? `all ${group.kind}` : `the ${ids.join(' and the ')}`;
    return {
      instruction: `Put ${things} ${where(world, target)}.`,
      plan: planner.calls,
      checks: ids.map((id) => at(id, target)),
    };
  },

  light: (rng, world) => {
    const planner = started(rng, world);
    const lamp = planner.placeFor('light');
    if (lamp === undefined) return null;
    const id = pickOf(rng, planner, Object.keys(planner.objects));
    planner.take(id);
    planner.light(lamp);
    planner.goTo(lamp);
    const instruction = rng.pick([
      `Hold the ${id} in the light of the ${lamp}.`,
      `Take the ${id} to the ${lamp} and have its light on.`,
    ]);
    const checks = [at(id, HAND), is('agent', 'at', lamp), is(`receptacles/${pointerKey(lamp)}`, 'light', 'on')];
    return { instruction, plan: planner.calls, checks };
  },

  clean: (rng, world) =>
    treatment(
      rng,
      world,
      'clean',
      ({ clean }) => clean !== true,
      () => ['clean', true],
    ),
  heat: (rng, world) =>
    treatment(
      rng,
      world,
      'heat',
      ({ temp }, to) => Number(temp) < to,
      (to) => ['temp', to],
    ),
  cool: (rng, world) =>
    treatment(
      rng,
      world,
      'cool',
      ({ temp }, to) => Number(temp) > to,
      (to) => ['temp', to],
    ),
};

/** Treat an object that needs it and put it somewhere. */
function treatment(
  rng: Rng,
  world: Seeded,
  verb: Treatment,
  needs: (object: { [field: string]: unknown }, to: number) => boolean,
  goal: (to: number) => [string, JsonScalar],
): TaskPlan | null {
  const planner = started(rng, world);
  const place = planner.placeFor(verb);
  if (place === undefined) return null;
  const to = Number(planner.places[place]?.[verb]);
  const able = Object.keys(planner.objects).filter((id) => needs(planner.objects[id] ?? {}, to));
  if (able.length === 0) return null;
  const id = pickOf(rng, planner, able);
  const target = targetOf(rng, planner, [id]);
  if (target === undefined) return null;
  bring(rng, planner, id, target, verb);
  const there = where(world, target);
  const instruction = rng.pick([
    `${capital(verb)} the ${id} and put it ${there}.`,
    `${capital(verb)} the ${id}, then put it ${there}.`,
    `Put the ${id} ${there}, but ${verb} it first.`,
  ]);
  const [field, value] = goal(to);
  return { instruction, plan: planner.calls, checks: [is(`objects/${pointerKey(id)}`, field, value), at(id, target)] };
}

/** A planner that has looked around in half of the cases, and now and then in a wrong place. */
function started(rng: Rng, world: Seeded): Planner {
  const planner = new Planner(world);
  if (rng.chance(0.5)) planner.call('look');
  if (rng.chance(0.2)) planner.enter(rng.pick(Object.keys(planner.places)));
  return planner;
}

function bring(rng: Rng, planner: Planner, id: string, target: string, verb?: Treatment): void {
  planner.take(id);
  if (rng.chance(0.3)) planner.call('examine', { id });
  if (verb) planner.treat(id, verb);
  planner.put(id, target);
}

/** An object, preferably one that is in the hand already. */
function pickOf(rng: Rng, planner: Planner, ids: readonly string[]): string {
  const held = ids.filter((id) => planner.objects[id]?.at === HAND);
  return rng.pick(held.length > 0 && rng.chance(0.5) ? held : ids);
}

/** Whether a place has no use but to keep things. */
function isForKeeping(place: JsonObject | undefined): boolean {
  return place !== undefined && Object.values(MEMBER).every((member) => place[member] === undefined);
}

/**
 * A place where none of these things is, preferably one that a rule speaks of or that is for keeping things.
 * @param some whether some of them may be there already
 */
function targetOf(rng: Rng, planner: Planner, ids: readonly string[], some = false): string | undefined {
  const free = Object.keys(planner.places).filter((place) => {
    const there = ids.filter((id) => planner.objects[id]?.at === place).length;
    return there === 0 || (some && there < ids.length);
  });
  const ruled = free.filter((place) => planner.isRuled(place));
  if (ruled.length > 0 && rng.chance(0.4)) return rng.pick(ruled);
  const keeping = free.filter((place) => isForKeeping(planner.places[place]));
  const from = keeping.length > 0 && rng.chance(0.6) ? keeping : free;
  return from.length > 0 ? rng.pick(from) : undefined;
}

/** A kind of which there are two or three objects, and these. */
function kindOf(rng: Rng, planner: Planner): { kind: string; ids: string[] } | undefined {
  const ids = Object.keys(planner.objects);
  const groups = [...new Set(ids.map((id) => String(planner.objects[id]?.kind)))].map((kind) => ({
    kind,
    ids: ids.filter((id) => planner.objects[id]?.kind === kind),
  }));
  const fit = groups.filter((group) => group.ids.length === 2 || group.ids.length === 3);
  return fit.length > 0 ? rng.pick(fit) : undefined;
}

function where(world: Seeded, place: string): string {
  return `${preposition(world.state, place)} the ${place}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function at(id: string, place: string): Check {
  return is(`objects/${pointerKey(id)}`, 'at', place);
}

function is(path: string, field: string, value: JsonScalar): Check {
  return { path: `/${path}/${field}`, op: '==', value };
}
