/** What the models of this family share: their shape, numbers of a state, rules asked from a generator, looks in a plan. */
import { get, isObject, type Json, type JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, State } from '../../world/types';
import type { Call, Program, RuleDef, Seeded, ShownParams, TaskTemplate } from '../kit/types';
import { num } from '../kit/read';

/** A solved model in its cover stories. A world's spec names the model and the story. */
export interface Model {
  /** Names of the cover stories. */
  stories: readonly string[];
  program(story: string): Program;
  generate(rng: Rng, difficulty: number, story: string): Seeded;
  tasks(world: Seeded, story: string): { readonly [name: string]: TaskTemplate };
}

/** The number at a path of the state. */
export function at(state: State, ...path: string[]): number {
  return num(path.reduce<Json | undefined>((value, key) => (isObject(value) ? get(value, key) : undefined), state));
}

/** Rules as a tool asks them and, of a world that is being made, as the solver does. */
export interface Rules {
  rule(id: string): ShownParams | undefined;
  allows(facts: JsonObject, ...ids: string[]): boolean;
}

/** The rules a call stands under. */
export function rulesOf(call: Call): Rules {
  return { rule: (id) => call.rule(id), allows: (facts, ...ids) => !call.forbidden(facts, ...ids) };
}

/** The rules of a world that is being made, by the same definitions. */
export function rulesIn(program: Program, world: Seeded): Rules {
  const standing = new Map<string, { def: RuleDef | undefined; params: ShownParams }>();
  for (const { id, params } of world.rules)
    standing.set(id, {
      def: program.rules.find((def) => def.id === id),
      params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
    });
  return {
    rule: (id) => standing.get(id)?.params,
    allows: (facts, ...ids) =>
      !ids.some((id) => {
        const one = standing.get(id);
        return one?.def?.violated?.(one.params, facts) === true;
      }),
  };
}

/** A parameter of a rule as a number; 0 when the rule does not stand. */
export function param({ rule }: Rules, id: string, name: string): number {
  return num(rule(id)?.[name]);
}

/** Worlds until one is worth solving; now and then the first one, since easy ones exist too. */
export function worthwhile(rng: Rng, make: (rng: Rng) => Seeded, hard: (world: Seeded) => boolean): Seeded {
  const easy = rng.chance(0.1);
  let world = make(rng.fork(0));
  for (let i = 1; i < 12 && !easy && !hard(world); i++) world = make(rng.fork(i));
  return world;
}

/** Looks before and between the calls of a plan, as a thoughtful agent takes them. */
export function withLooks(rng: Rng, calls: readonly Action[], looks: readonly Action[]): Action[] {
  return calls.flatMap((call, i) => (rng.chance(i === 0 ? 0.5 : 0.12) ? [rng.pick(looks), call] : [call]));
}

/** A target between what a short-sighted agent reaches and the optimum, always above the first. */
export function nearTarget(rng: Rng, best: number, shortSighted: number): number {
  const room = Number.isFinite(shortSighted) ? best - shortSighted : 5;
  return best - rng.int(0, Math.max(0, Math.min(Math.floor(room / 2), room - 1)));
}

/** `7, 3 and 9`. */
export function enumerated(items: readonly (number | string)[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${String(items.at(-1))}`;
}

/** A story by its name. @throws Error when there is none of this name */
export function storyOf<T>(stories: { readonly [name: string]: T }, name: string): T {
  const story = Object.hasOwn(stories, name) ? stories[name] : undefined;
  if (!story) throw new Error(`there is no story ${name}`);
  return story;
}
