/** From a family and a seed to a world with a task that can be fulfilled. */
import { isDone, pointerKey } from '../../world/checks';
import { get, isObject, type Json, type JsonObject } from '../../world/json';
import { applyDelta, diffPatch } from '../../world/mergePatch';
import { Rng } from '../../world/rng';
import type { Action, Check, Rule, State, Tool, World } from '../../world/types';
import { inputSchema } from './args';
import { stepProgram } from './step';
import type { Family, Program, Seeded, ToolDef } from './types';

/** A world and the calls that fulfil its task. */
export interface Scenario {
  world: World;
  plan: Action[];
}

const ATTEMPTS = 50;

/**
 * The scenario of a seed; equal arguments give equal bytes. Its goal is false at the start and true after the plan.
 * @param difficulty 1 to 3
 * @throws Error when no task was found (a mistake in the family)
 */
export function makeScenario(family: Family, seed: number, difficulty: number): Scenario {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rng = Rng.of(family.name, seed, difficulty, attempt);
    const seeded = family.generate(rng.fork('world'), difficulty);
    const program = family.program(seeded.spec);
    const rules = seeded.rules.map(({ id, params }) => makeRule(program, id, params));
    for (const template of rng.fork('order').shuffle(family.tasks(seeded))) {
      const task = template(rng.fork('task'), seeded);
      if (!task) continue;
      const checks = checksOf(program, seeded, rules, task.plan);
      if (!checks || isDone({ instruction: '', checks }, seeded.state)) continue;
      const world: World = {
        id: `${family.name}-${seed}-${difficulty}`,
        title: seeded.title,
        twin: { family: family.name, seed, difficulty, ...(seeded.spec ? { spec: seeded.spec } : {}) },
        state: seeded.state,
        task: { instruction: task.instruction, checks },
        tools: program.tools.map(publish),
        rules,
      };
      return { world, plan: task.plan };
    }
  }
  throw new Error(`${family.name}: no task for seed ${seed} at difficulty ${difficulty}`);
}

/** A tool as it is published. */
export function publish(tool: ToolDef): Tool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: inputSchema(tool.input),
    ...(tool.output ? { outputSchema: tool.output } : {}),
    annotations: tool.readOnly
      ? { readOnlyHint: true }
      : { readOnlyHint: false, destructiveHint: tool.destructive ?? false },
  };
}

function makeRule(program: Program, id: string, params: Rule['params']): Rule {
  const def = program.rules.find((rule) => rule.id === id);
  if (!def) throw new Error(`there is no rule ${id}`);
  return { id, text: def.text(params), enabled: true, params };
}

/** Checks that say what the plan changes, or null when a call of it fails or nothing changes. */
function checksOf(program: Program, seeded: Seeded, rules: Rule[], plan: readonly Action[]): Check[] | null {
  let state: State = seeded.state;
  for (const action of plan) {
    const transition = stepProgram(program, state, rules, action, []);
    if (transition.status !== 'ok') return null;
    state = applyDelta(state, transition.delta);
  }
  const checks = leaves(diffPatch(seeded.state, state), '', seeded.state);
  return checks.length > 0 ? checks : null;
}

/** One check for each leaf of a patch; counters of fresh ids (scalars beside the collections) are left out. */
function leaves(patch: JsonObject, path: string, before: Json | undefined): Check[] {
  return Object.entries(patch).flatMap(([key, value]): Check[] => {
    const here = `${path}/${pointerKey(key)}`;
    const old = isObject(before) ? get(before, key) : undefined;
    if (isObject(value)) return leaves(value, here, old);
    if (value === null) return [{ path: here, op: 'absent' }];
    if (path === '') return [];
    return [{ path: here, op: '==', value: value as string | number | boolean }];
  });
}
