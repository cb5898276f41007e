/**
 * What every family of twins promises, as checks of any size: `npm run twins -- --check` runs them large, the tests run
 * them small. Each returns what it counted and `wrong`, examples of what does not hold.
 */
import { malformedAgent, noisyAgent, randomAgent } from '../../agents';
import { createExpert, makeWorld, ruleText, twinTransition } from '../../twins';
import { makeScenario } from '../../twins/kit/world';
import { stepProgram } from '../../twins/kit/step';
import type { Family } from '../../twins/kit/types';
import { isDone } from '../../world/checks';
import { answerText, callText, encodeContext, fold, parseAnswer } from '../../world/codec';
import { CODE, formatDirectives } from '../../world/directives';
import { stringify, type Json, type JsonObject } from '../../world/json';
import { applyDelta, diffPatch } from '../../world/mergePatch';
import { Rng } from '../../world/rng';
import {
  SLOTS,
  type Action,
  type Context,
  type Directive,
  type State,
  type Transition,
  type World,
} from '../../world/types';
import { asTexts, bytes, edited, fuzzed, holdsOnlyScalars, otherParams, programOf, validators, walk } from './explore';

/** A few examples of what is wrong, as text. */
export type Wrong = string[];

const MOST_EXAMPLES = 5;

function complain(wrong: Wrong, what: string, ...values: unknown[]): void {
  if (wrong.length < MOST_EXAMPLES) wrong.push(`${what}: ${values.map((value) => JSON.stringify(value)).join(' ')}`);
}

/** Worlds that `checkRules` always walks. */
const FIRST_WORLDS = 30;

const difficultyOf = (seed: number) => 1 + (seed % 3);

export function worldOf(family: Family, seed: number): World {
  return makeWorld(family.name, seed, difficultyOf(seed));
}

/**
 * Tasks at one difficulty: the goal is false at the start, the expert reaches it, and the templates that occur.
 * @param n seeds 0 to n-1
 */
export async function checkExpert(family: Family, n: number, difficulty: number) {
  const wrong: Wrong = [];
  const templates = new Set<string>();
  let solved = 0;
  for (let seed = 0; seed < n; seed++) {
    const { world, plan, template } = makeScenario(family, seed, difficulty);
    templates.add(template);
    if (isDone(world.task, world.state)) complain(wrong, 'the goal is true at the start', world.id, world.task);
    const state = await walk(world, createExpert(world), plan.length + 3, undefined, true);
    if (isDone(world.task, state)) solved++;
    else complain(wrong, 'not solved', world.id, template, world.task.instruction);
  }
  return { solved, of: n, templates: [...templates].sort(), wrong };
}

/** Answers of random calls satisfy the output schema; deltas are minimal; errors are text. */
export async function checkSchemas(family: Family, rollouts: number, steps = 10) {
  const wrong: Wrong = [];
  let checked = 0;
  const validatorOf = validators();
  for (let seed = 0; seed < rollouts; seed++) {
    const world = worldOf(family, seed);
    const own = new Map(world.tools.map((tool) => [tool.name, validatorOf(tool.outputSchema ?? false)]));
    const agent = seed % 2 === 0 ? randomAgent(seed) : noisyAgent(createExpert(world), 0.5, seed);
    await walk(world, agent, steps, ({ state, action, transition: { observation, delta, status } }) => {
      if (stringify(diffPatch(state, applyDelta(state, delta))) !== stringify(delta))
        complain(wrong, 'delta is not minimal', action, delta);
      const validate = 'tool' in action ? own.get(action.tool) : undefined;
      const value = observation.kind === 'json' ? observation.value : observation.text;
      if (status !== 'ok') {
        if (observation.kind !== 'text') complain(wrong, 'an error is no text', action, observation);
      } else if (!validate?.(value)) complain(wrong, 'output schema', action, value, validate?.errors);
      else checked++;
    });
  }
  return { checked, wrong };
}

/** Any action gives an observation, errors are short and change nothing, states stay plain. */
export function checkFuzz(family: Family, actions: number) {
  const wrong: Wrong = [];
  const rng = Rng.of('fuzz', family.name);
  const statuses = new Set<string>();
  let fuzzedActions = 0;
  for (let seed = 0; fuzzedActions < actions; seed++) {
    const world = worldOf(family, seed);
    const program = programOf(world);
    let state = world.state;
    for (let i = 0; i < 100 && fuzzedActions < actions; i++, fuzzedActions++) {
      const action = fuzzed(rng, world);
      const transition = stepProgram(program, state, world.rules, action, []);
      const after = applyDelta(state, transition.delta);
      lookAt(wrong, state, action, transition, after);
      statuses.add(transition.status);
      state = i % 20 === 19 ? world.state : after;
    }
  }
  return { fuzzed: fuzzedActions, statuses: [...statuses].sort(), wrong };
}

function lookAt(wrong: Wrong, state: State, action: Action, transition: Transition, after: State): void {
  const text = answerText(transition);
  if (!CODE.test(transition.status) || parseAnswer(text).parseErrors.length > 0)
    complain(wrong, 'status or form', action, text);
  if (transition.status !== 'ok' && (text.observation.length >= 90 || text.delta !== '{}'))
    complain(wrong, 'an error is long or changes something', action, text);
  if (!holdsOnlyScalars(after)) complain(wrong, 'state', action, transition.delta);
  if (stringify(diffPatch(state, after)) !== stringify(transition.delta))
    complain(wrong, 'delta is not minimal', action, transition.delta);
}

/** Careless hand edits of the state: any value anywhere gives an observation and leaves a plain state. */
export async function checkEdits(family: Family, worlds: number) {
  const wrong: Wrong = [];
  let ok = 0;
  for (let seed = 0; seed < worlds; seed++) {
    const world = worldOf(family, seed);
    const program = programOf(world);
    const state = edited(Rng.of('edit', family.name, seed), world.state) as JsonObject;
    for (let i = 0; i < 6; i++) {
      const action = await randomAgent(seed * 7 + i).act({ world, state: world.state, steps: [] });
      const { delta, status } = stepProgram(program, state, world.rules, action, []);
      if (!holdsOnlyScalars(applyDelta(state, delta)) || !CODE.test(status))
        complain(wrong, 'edited state', state, action, delta, status);
      if (status === 'ok') ok++;
    }
  }
  return { ok, wrong };
}

/** Directives that show less change no less, and each means what the kit says on what the plain answer shows. */
export async function checkSteering(family: Family, worlds: number) {
  const wrong: Wrong = [];
  const codes = family.failCodes.map((code) => ({ kind: 'fail', code }) as const);
  for (let seed = 0; seed < worlds; seed++) {
    const world = worldOf(family, seed);
    const program = programOf(world);
    await walk(world, noisyAgent(createExpert(world), 0.5, seed), 8, ({ state, action, transition: plain }) => {
      const under = (...directives: Directive[]) => stepProgram(program, state, world.rules, action, directives);
      const expectAs = (directives: Directive[], expected: Transition) => {
        const got = under(...directives);
        if (stringify(got as never) !== stringify(expected as never))
          complain(wrong, formatDirectives(directives), action, got, expected);
      };
      for (const fail of codes)
        expectAs([{ kind: 'empty' }, fail], {
          observation: { kind: 'text', text: `Error: ${fail.code}` },
          delta: {},
          status: fail.code,
        });
      for (const kind of ['empty', 'terse', 'verbose'] as const) {
        const { delta, status } = under({ kind });
        if (stringify(delta) !== stringify(plain.delta) || status !== plain.status)
          complain(wrong, `${kind} changes what happens`, action, plain, delta, status);
      }
      expectAs([{ kind: 'stale' }], plain);
      const readOnly = world.tools.find((tool) => 'tool' in action && tool.name === action.tool)?.annotations
        ?.readOnlyHint;
      if (readOnly === false) {
        expectAs([{ kind: 'scarce' }], plain);
        expectAs([{ kind: 'misleading' }], { ...plain, delta: {} });
      }
    });
  }
  return { wrong };
}

/**
 * For each rule a step where it bites: switched off, the answer is another one; with other parameters it follows its
 * new sentence. Rules that never bit are `wrong`.
 */
export async function checkRules(family: Family, worlds: number) {
  const wrong: Wrong = [];
  const bitten = new Set<string>();
  const all = new Set<string>();
  for (let seed = 0; seed < worlds && (seed < FIRST_WORLDS || bitten.size < all.size); seed++) {
    const world = worldOf(family, seed);
    const program = programOf(world);
    for (const { id } of program.rules) all.add(id);
    for (const rule of world.rules)
      if (ruleText(world, { ...rule, params: otherParams(rule.params) }) === rule.text)
        complain(wrong, 'the sentence does not show the parameters', rule);
    // Past the first worlds only rules are looked for that have not bitten yet, and longer: most of the time goes into worlds.
    if (seed >= FIRST_WORLDS && world.rules.every(({ id }) => bitten.has(id))) continue;
    const steps = seed < FIRST_WORLDS ? 10 : 30;
    await walk(world, noisyAgent(createExpert(world), 0.7, seed), steps, ({ state, action, transition: plain }) => {
      for (const rule of world.rules) {
        const off = world.rules.map((other) => (other === rule ? { ...other, enabled: false } : other));
        const without = stepProgram(program, state, off, action, []);
        if (stringify(without as never) === stringify(plain as never)) continue;
        bitten.add(rule.id);
        const refused = stringify(plain.observation as never).includes(`Error: ${rule.text}`);
        if (refused && plain.status === 'ok') complain(wrong, 'a refusal with status ok', rule, action, plain);
      }
    });
  }
  for (const id of all) if (!bitten.has(id)) complain(wrong, 'a rule that never bites', id);
  return { rules: [...all].sort(), wrong };
}

/** The law of the kit: what the codec does not show changes no answer. */
export async function checkLaw(family: Family, worlds: number, steps = 8) {
  const wrong: Wrong = [];
  let compared = 0;
  for (let seed = 0; seed < worlds; seed++) {
    const world = worldOf(family, seed);
    const agent =
      seed % 2 === 0 ? noisyAgent(malformedAgent(seed), 0.7, seed) : noisyAgent(createExpert(world), 0.3, seed);
    await walk(world, agent, steps, ({ context, action, transition: plain }) => {
      const other: Context = { world: withOtherHidden(context.world), history: context.history };
      const same = (name: string, a: Json, b: Json) => {
        compared++;
        if (stringify(a) !== stringify(b)) complain(wrong, name, action, a, b);
      };
      same(
        'the codec shows what was meant to be hidden',
        ...([other, context].map((one) => encodeContext(one, action, [], bytes)) as unknown as [Json, Json]),
      );
      for (const directives of [[], [{ kind: 'stale' }], [{ kind: 'scarce' }, { kind: 'misleading' }]] as Directive[][])
        same(
          'equal bytes, other answers',
          twinTransition(other, action, directives) as never,
          twinTransition(context, action, directives) as never,
        );
      same('the call is not its text', twinTransition(context, { raw: callText(action) }, []) as never, plain as never);
      same('folding changes the answer', twinTransition(fold(context), action, []) as never, plain as never);
    });
  }
  return { compared, wrong };
}

/** The same world with everything else that models are not shown. */
function withOtherHidden(world: World): World {
  return {
    ...world,
    id: 'other',
    title: 'Other',
    twin: world.twin && { ...world.twin, seed: 999, difficulty: 3 },
    rules: [
      ...world.rules.map((rule) => ({ ...rule, enabled: false })),
      ...world.rules.map((rule) => ({ ...rule, params: asTexts(rule.params) })),
    ],
    task: { instruction: world.task.instruction, checks: [] },
  };
}

/** Long runs stay plain and bounded: `steps` noisy steps in one world after another, started anew at each goal. */
export async function checkRuns(family: Family, steps: number) {
  const wrong: Wrong = [];
  let taken = 0;
  for (let seed = 0; taken < steps; seed++) {
    const world = worldOf(family, seed);
    const each = Math.min(40, steps - taken);
    await walk(world, noisyAgent(createExpert(world), 0.4, seed), each, ({ state, action, transition }) => {
      lookAt(wrong, state, action, transition, applyDelta(state, transition.delta));
      taken++;
    });
  }
  return { steps: taken, wrong };
}

/**
 * Sizes in tokens under a measure: block 0 at difficulty 2, and whole responses (`<resp>` and ends included) of plausible
 * calls, plain and under `verbose`.
 */
export async function measure(
  family: Family,
  worlds: number,
  tokens: (text: string) => number,
  prompt: (world: World) => number,
) {
  let maxPromptTokens = 0;
  let maxResponseTokens = 0;
  const slots = { observation: 0, delta: 0, status: 0 };
  let longest = '';
  for (let seed = 0; seed < worlds; seed++) {
    maxPromptTokens = Math.max(maxPromptTokens, prompt(makeWorld(family.name, seed, 2)));
    const world = worldOf(family, seed);
    const program = programOf(world);
    await walk(world, noisyAgent(createExpert(world), 0.5, seed), 8, ({ state, action }) => {
      for (const directives of [[], [{ kind: 'verbose' }]] as Directive[][]) {
        const text = answerText(stepProgram(program, state, world.rules, action, directives));
        const size = Object.values(text).reduce((sum, slot: string) => sum + 1 + tokens(slot), 1);
        for (const slot of SLOTS) slots[slot] = Math.max(slots[slot], tokens(text[slot]));
        if (size <= maxResponseTokens) continue;
        maxResponseTokens = size;
        longest = `${world.id} ${callText(action)} ${formatDirectives(directives)} -> ${JSON.stringify(text)}`;
      }
    });
  }
  return { maxPromptTokens, maxResponseTokens, slots, longest };
}
