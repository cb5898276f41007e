/** Ways through a world for the checks of the twins: walking it, and actions and edits of every kind. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { isDone } from '../../world/checks';
import { answerText } from '../../world/codec';
import { clone, emptyObject, isObject, stringify, type Json, type JsonObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import type { Tokenizer } from '../../world/codec';
import { type Rng } from '../../world/rng';
import type { Agent, AgentView } from '../../world/simulator';
import type { Action, Context, State, Transition, World } from '../../world/types';
import { stepProgram } from '../../twins/kit/step';
import type { Params, Program } from '../../twins/kit/types';
import { familyOf } from '../../twins/registry';

/** The program of a world, without the checks of `twinTransition`, which take most of its time. */
export function programOf(world: World): Program {
  return familyOf(world.twin?.family ?? '').program(world.twin?.spec);
}

/** A step as a check sees it: what came before, the call, and the plain answer. */
export interface Visit {
  context: Context;
  /** State before the step. */
  state: State;
  action: Action;
  transition: Transition;
}

/**
 * Walks a world without directives and shows each step.
 * @param stop whether to end at the goal
 * @returns the last state
 */
export async function walk(
  world: World,
  agent: Agent,
  steps: number,
  look: (visit: Visit) => void = () => undefined,
  stop = false,
): Promise<State> {
  let context: Context = { world, history: [] };
  const program = programOf(world);
  const view: AgentView = { world, state: world.state, steps: [] };
  for (let i = 0; i < steps && !(stop && isDone(world.task, view.state)); i++) {
    const action = await agent.act(view);
    const transition = stepProgram(program, view.state, world.rules, action, []);
    look({ context, state: view.state, action, transition });
    const turn = { directives: [], action, text: answerText(transition), delta: transition.delta };
    context = { world, history: [...context.history, turn] };
    view.state = applyDelta(view.state, transition.delta);
    view.steps = [...view.steps, { action, transition }];
  }
  return view.state;
}

/** Whether a value is what a state may hold: objects, texts, truth values and finite numbers. */
export function holdsOnlyScalars(value: Json): boolean {
  if (isObject(value)) return Object.values(value).every(holdsOnlyScalars);
  return value !== null && !Array.isArray(value) && (typeof value !== 'number' || Number.isFinite(value));
}

/** Any action at all: plausible ones, spoiled ones, and rubbish of every kind. */
export function fuzzed(rng: Rng, world: World): Action {
  const tool = rng.pick([
    ...world.tools.map(({ name }) => name),
    '__proto__',
    'constructor',
    '',
    'a'.repeat(5000),
    '\ud800',
  ]);
  const deep = (n: number): Json => (n === 0 ? 1 : [deep(n - 1)]);
  const values: Json[] = [
    1e308,
    -1,
    0.5,
    NaN,
    Infinity,
    null,
    true,
    '',
    'x'.repeat(3000),
    '__proto__',
    'constructor',
    '\ud83d\udc00\udfff',
    '"}{',
    [],
    {},
    deep(60),
    ...Object.values(world.state).flatMap((part) => (isObject(part) ? Object.keys(part) : [])),
  ];
  if (rng.chance(0.15))
    return { raw: rng.pick([`${tool}{`, '{}', '\u0000', `${tool}{"__proto__":1}`, `${tool}[1]`, String(rng.next())]) };
  const args: JsonObject = {};
  const properties = world.tools.find(({ name }) => name === tool)?.inputSchema.properties;
  for (const name of isObject(properties) ? Object.keys(properties) : ['id'])
    if (rng.chance(0.9)) args[name] = rng.pick(values);
  if (rng.chance(0.1)) Object.defineProperty(args, '__proto__', { value: rng.pick(values), enumerable: true });
  return { tool, args };
}

/** A state as a careless hand leaves it: values replaced by others of any type, members gone, things nested. */
export function edited(rng: Rng, value: Json, top = true): Json {
  const junk: Json[] = [{ a: 1 }, 'text', 5, -3, 0.5, true, {}, '', 1e21, '7', { l1: { x: { y: 1 } } }];
  if (!top && rng.chance(0.12)) return clone(rng.pick(junk));
  if (!isObject(value)) return value;
  const out = emptyObject();
  for (const [key, item] of Object.entries(value)) if (!rng.chance(0.06)) out[key] = edited(rng, item, false);
  return out;
}

/** Parameters under which a rule reads differently. */
export function otherParams(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [key, typeof value === 'number' ? 77 : 'zzz']),
  );
}

/** The same parameters as texts: the sentence is the same, so the meaning must be. */
export function asTexts(params: Params): Params {
  return Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]));
}

/** The bytes of a context: one token for each character. */
export const bytes: Tokenizer = {
  vocabSize: 0x11_0000,
  sha256: '',
  encode: (text) => Array.from(text, (char) => char.codePointAt(0) ?? 0),
  decode: (ids) => String.fromCodePoint(...ids),
};

/**
 * Gives the validator of a JSON Schema, equal schemas sharing one: most worlds of a family have the same, and compiling takes
 * longer than all answers it judges.
 */
export function validators(): (schema: JsonObject | boolean) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false });
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const key = stringify(schema);
    const validate = compiled.get(key) ?? ajv.compile(schema);
    compiled.set(key, validate);
    return validate;
  };
}
