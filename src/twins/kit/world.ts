/** From a family and a seed to a world with a task that can be fulfilled. */
import { isDone, pointerKey } from '../../world/checks';
import { get, isObject, type Json, type JsonObject } from '../../world/json';
import { applyDelta, diffPatch } from '../../world/mergePatch';
import { Rng } from '../../world/rng';
import type { Action, Check, Rule, State, Tool, World } from '../../world/types';
import { inputSchema } from './args';
import { stepProgram } from './step';
import type { Family, Program, Seeded, TaskPlan, ToolDef } from './types';

/** A world and the calls that fulfil its task. */
export interface Scenario {
  world: World;
  plan: Action[];
  /** Name of the task's template. */
  template: string;
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
    for (const [template, make] of rng.fork('order').shuffle(Object.entries(family.tasks(seeded)))) {
      const task = make(rng.fork('task'), seeded);
      if (!task) continue;
      const checks = checksOf(program, seeded, rules, task);
      if (!checks || isDone({ instruction: '', checks }, seeded.state)) continue;
      const world: World = {
        id: `${family.name}-${seed}-${difficulty}`,
        title: seeded.title,
        twin: { family: family.name, seed, difficulty, ...(seeded.spec ? { spec: seeded.spec } : {}) },
        state: seeded.state,
        task: { instruction: task.instruction, checks, par: task.plan.filter((call) => changes(program, call)).length },
        tools: program.tools.map(publish),
        rules,
      };
      return { world, plan: task.plan, template };
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
    outputSchema: tool.output,
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

/** Whether a call is one of a tool that changes something. */
function changes(program: Program, call: Action): boolean {
  return 'tool' in call && program.tools.some((tool) => tool.name === call.tool && !tool.readOnly);
}

/**
 * The task's own checks, otherwise checks that say what the plan changes. Null when a call of the plan fails, nothing
 * changes, or the checks do not hold after it.
 */
function checksOf(program: Program, seeded: Seeded, rules: Rule[], { plan, checks: own }: TaskPlan): Check[] | null {
  let state: State = seeded.state;
  for (const action of plan) {
    const transition = stepProgram(program, state, rules, action, []);
    if (transition.status !== 'ok') return null;
    state = applyDelta(state, transition.delta);
  }
  const checks = own ?? leaves(diffPatch(seeded.state, state), '', seeded.state);
  return isDone({ instruction: '', checks }, state) ? checks : null;
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
