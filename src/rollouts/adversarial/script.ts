/** Helpers for building scenarios: the twin is asked what it would say, and the way that leads to a trap is written down. */
import { sampleArgs } from '../../agents';
import { ruleText } from '../../twins';
import { stepProgram } from '../../twins/kit/step';
import type { Program } from '../../twins/kit/types';
import { familyOf } from '../../twins/registry';
import { callText, currentState } from '../../world/codec';
import { canonical, equal, get, isObject, type Json, type JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Context, Directive, Rule, State, Tool, Transition, World } from '../../world/types';
import { leans, sameAnswer } from './evidence';
import type { FailureName } from './failures';
import { advanced, edited } from './play';
import type { Edit, ScriptedStep, Site } from './types';

export type Call = Extract<Action, { tool: string }>;

/** A script in the making. */
export class Script {
  readonly steps: ScriptedStep[] = [];
  context: Context;
  #edit: Edit | undefined;

  constructor(readonly world: World) {
    this.context = { world, history: [] };
  }

  get state(): State {
    return currentState(this.context);
  }

  /** The true answer to a call here and now, which is not written down. */
  peek(action: Action, directives: Directive[] = []): Transition {
    return answerIn({ ...this.context.world, state: this.state }, action, directives);
  }

  /** Changes the world before the next step. */
  edit(edit: Edit): this {
    this.#edit = { ...this.#edit, ...edit };
    this.context = edited(this.context, edit);
    return this;
  }

  /**
   * Adds a step and gives its true answer. Baits that are no different from the truth are left out.
   * @param baits what a simulator answers that falls for the failure
   */
  add(action: Action, baits: readonly [FailureName, Transition | undefined][] = [], directives: Directive[] = []) {
    const truth = this.peek(action, directives);
    const { state } = this;
    const traps = baits.flatMap(([failure, bait]) =>
      bait && !sameAnswer(bait, truth, state) && !leans(truth, truth, bait, state) ? [{ failure, bait }] : [],
    );
    this.steps.push({ ...(this.#edit ? { edit: this.#edit } : {}), action, directives, traps });
    this.#edit = undefined;
    this.context = advanced(this.context, action, directives, truth);
    return truth;
  }

  /** The script if it has a trap, otherwise null. */
  done(): { world: World; steps: ScriptedStep[] } | null {
    return this.steps.some(({ traps }) => traps.length > 0) ? { world: this.world, steps: this.steps } : null;
  }
}

/** The true answer in a world at its start. `play` asks the twin itself again, which looks at every sentence first. */
export function answerIn(world: World, action: Action, directives: Directive[] = []): Transition {
  return stepProgram(programOf(world), world.state, world.rules, action, directives);
}

const programs = new WeakMap<object, Program>();

/** The program of a world. Building asks hundreds of times, and no script edits the tools, so it is looked up once. */
function programOf({ twin, id }: World): Program {
  if (!twin) throw new Error(`${id} has no twin.`);
  const known = programs.get(twin) ?? familyOf(twin.family).program(twin.spec);
  programs.set(twin, known);
  return known;
}

/** Calls that make sense in a world: those of the plan, then `n` sampled ones of every tool, in random order. */
export function candidates(site: Site, world: World = site.world, n = 5): Call[] {
  const rng = site.rng.fork('calls');
  const out = new Map<string, Call>();
  const take = (action: Action) => {
    if ('tool' in action) out.set(callText(action), action);
  };
  site.plan.forEach(take);
  for (const tool of world.tools) for (let i = 0; i < n; i++) take(sampleArgs(rng, tool, world.state));
  return rng.shuffle([...out.values()]);
}

export function toolOf(world: World, action: Action): Tool | undefined {
  return 'tool' in action ? world.tools.find(({ name }) => name === action.tool) : undefined;
}

export function isLook(world: World, action: Action): boolean {
  return toolOf(world, action)?.annotations?.readOnlyHint === true;
}

/** Schemas of a tool's arguments by name. */
export function argSchemas(tool: Tool | undefined): [string, JsonObject][] {
  const properties = tool && get(tool.inputSchema, 'properties');
  return isObject(properties)
    ? Object.entries(properties).filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
    : [];
}

/** Arguments of a call that hold the whole key of a record, with its collection. */
export function idArgs(world: World, call: Call): { arg: string; collection: string; key: string }[] {
  return argSchemas(toolOf(world, call)).flatMap(([arg, schema]) => {
    const collection = get(schema, 'x-from');
    const key = get(call.args, arg);
    if (typeof collection !== 'string' || get(schema, 'x-part') !== undefined || typeof key !== 'string') return [];
    const records = get(world.state, collection);
    return isObject(records) && isObject(get(records, key)) ? [{ arg, collection, key }] : [];
  });
}

/** The call with another value for one argument. */
export function withArg(call: Call, arg: string, value: Json): Call {
  return { tool: call.tool, args: { ...call.args, [arg]: value } };
}

/** Collections of a state: members that hold records and at least one. */
export function collections(state: State): [string, JsonObject][] {
  return Object.entries(state).filter((entry): entry is [string, JsonObject] => {
    const items = isObject(entry[1]) ? Object.values(entry[1]) : [];
    return items.length > 0 && items.every(isObject);
  });
}

/** Records that a delta removes or adds whole. */
export function turnover(state: State, delta: JsonObject, what: 'removed' | 'added') {
  const out: { collection: string; key: string }[] = [];
  for (const [collection, patch] of Object.entries(delta)) {
    const before = get(state, collection);
    if (!isObject(patch) || !isObject(before)) continue;
    for (const [key, value] of Object.entries(patch)) {
      const was = isObject(get(before, key));
      if (what === 'removed' ? was && value === null : !was && isObject(value)) out.push({ collection, key });
    }
  }
  return out;
}

/** The world with a record put into a collection behind another one (or in front of it). */
export function withRecord(
  world: World,
  collection: string,
  at: string,
  key: string,
  item: JsonObject,
  where: 'before' | 'behind' = 'behind',
): World {
  const records = get(world.state, collection);
  const entries = Object.entries(isObject(records) ? records : {}).flatMap((entry): [string, Json][] => {
    if (entry[0] !== at) return [entry];
    return where === 'behind' ? [entry, [key, item]] : [[key, item], entry];
  });
  return { ...world, state: { ...world.state, [collection]: Object.fromEntries(entries) } };
}

/**
 * A record like another one, with other values: those of a third record of the collection, so that they go together, or
 * where there is none numbers that are a little higher.
 */
export function altered(rng: Rng, records: JsonObject, key: string): JsonObject {
  const own = get(records, key);
  const mine = isObject(own) ? own : {};
  const donors = Object.entries(records).flatMap(([name, item]) => {
    if (name === key || !isObject(item)) return [];
    const taken = Object.fromEntries(Object.entries(mine).map(([field, value]) => [field, get(item, field) ?? value]));
    return equal(taken, mine) ? [] : [taken];
  });
  if (donors.length > 0) return rng.pick(donors);
  const up = rng.int(1, 5);
  return Object.fromEntries(Object.entries(mine).map(([name, v]) => [name, typeof v === 'number' ? v + up : v]));
}

/** The rule with other parameters, if they make another sentence of the twin. */
export function withParams(world: World, rule: Rule, params: Rule['params']): Rule | null {
  const changed = { ...rule, params, enabled: true };
  const text = ruleText(world, changed);
  return text === null || text === rule.text ? null : { ...changed, text };
}

/** Other values for a rule's parameters that make sense in its world: other limits, other words of the same member. */
export function otherParams(rng: Rng, world: World, rule: Rule): Rule['params'][] {
  const out = Object.entries(rule.params).flatMap(([name, value]): Rule['params'][] => {
    if (typeof value === 'number') {
      const near = [Math.ceil(value / 2), value - 1, value + 1, value * 2].filter((n) => n > 0 && n !== value);
      return near.map((n) => ({ ...rule.params, [name]: n }));
    }
    if (typeof value !== 'string' || !/\b(only|needs|must)\b/.test(rule.text)) return [];
    return alike(world.state, value).map((word) => ({ ...rule.params, [name]: word }));
  });
  return rng.shuffle(out);
}

/** Texts that stand in the same member of other records of a collection. */
function alike(state: State, text: string): string[] {
  const out = new Set<string>();
  for (const [, records] of collections(state)) {
    const items = Object.values(records).filter(isObject);
    const names = new Set(items.flatMap((item) => Object.keys(item).filter((name) => item[name] === text)));
    for (const name of names) for (const item of items) if (typeof item[name] === 'string') out.add(item[name]);
  }
  out.delete(text);
  return [...out];
}

export function withRules(world: World, rules: Rule[]): World {
  return { ...world, rules };
}

/** The world with one of its rules switched on or off. */
export function switched(world: World, rule: Rule, enabled: boolean): World {
  return withRules(
    world,
    world.rules.map((one) => (one === rule ? { ...one, enabled } : one)),
  );
}

/** Whether two transitions are the same to the last letter. */
export function same(a: Transition, b: Transition): boolean {
  return canonical(a as unknown as Json) === canonical(b as unknown as Json);
}
