/** What one kind of puzzle is, and shortest plans in it by search over the real step. */
import { equal, stringify, type JsonObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import type { Rng } from '../../world/rng';
import type { Action, Rule, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import type { Program, Seeded, TaskTemplate } from '../kit/types';

export interface Kind {
  program(spec: JsonObject): Program;
  generate(rng: Rng, difficulty: number): Seeded;
  tasks(world: Seeded): { readonly [name: string]: TaskTemplate };
}

export interface Quest {
  /** Calls the plan may consist of. */
  actions: readonly Action[];
  done(state: State): boolean;
  /** Calls of the plan at most. */
  depth: number;
  /** Path of a counter that grows with the calls: of two equal boards the one with the smaller counter is the better. */
  counter?: readonly [collection: string, ...path: string[]];
}

/** States looked at before a quest is given up. */
const MOST_STATES = 1500;

/** The rules of a sampled world as the step function takes them. */
export function standingRules(program: Program, { rules }: Seeded): Rule[] {
  return rules.map(({ id, params }) => {
    const text = program.rules.find((def) => def.id === id)?.text(params) ?? '';
    return { id, text, enabled: true, params };
  });
}

/**
 * The fewest calls after which the quest is done, or null when there is no such plan within its depth. Breadth first over
 * the real step: draws are visible, so slips are foreseen. A board that was reached with no more calls and no larger
 * counter is not looked at again, which loses no shortest plan.
 */
export function shortest(program: Program, world: Seeded, quest: Quest): Action[] | null {
  const rules = standingRules(program, world);
  const best = new Map<string, number>();
  const isNew = (state: State) => {
    const [board, count] = boardOf(state, quest.counter);
    if ((best.get(board) ?? Infinity) <= count) return false;
    best.set(board, count);
    return true;
  };
  isNew(world.state);
  let edge: { state: State; plan: Action[] }[] = [{ state: world.state, plan: [] }];
  for (let depth = 0, seen = 0; depth < quest.depth && seen < MOST_STATES; depth++) {
    const next: typeof edge = [];
    for (const { state, plan } of edge) {
      seen++;
      for (const action of quest.actions) {
        const { status, delta } = stepProgram(program, state, rules, action, []);
        if (status !== 'ok') continue;
        const after = applyDelta(state, delta);
        if (!isNew(after)) continue;
        if (quest.done(after)) return [...plan, action];
        next.push({ state: after, plan: [...plan, action] });
      }
    }
    edge = next;
  }
  return null;
}

/** A state as text without its counter, and the counter. */
function boardOf(state: State, path: Quest['counter']): [string, number] {
  if (!path) return [stringify(state), 0];
  let patch: JsonObject | null = null;
  for (const key of [...path].reverse()) patch = { [key]: patch };
  const count = path.reduce<unknown>((here, key) => (here as JsonObject | undefined)?.[key], state);
  return [stringify(applyDelta(state, patch ?? {})), Number(count ?? 0)];
}

/** Whether a state has these values in a record. */
export function has(state: State, path: readonly string[], values: JsonObject): boolean {
  const item = path.reduce<unknown>((here, key) => (here as JsonObject | undefined)?.[key], state);
  return Object.entries(values).every(([key, value]) => equal((item as JsonObject)[key] ?? null, value));
}

/** What an instruction says about the rules: all of them, or that they are to be found out. */
export function hint(rng: Rng, told: boolean, rules: readonly Rule[], ask: string): string {
  // Rules may begin with a name, which is not to be capitalised.
  if (told) return ` Note: ${rules.map(({ text }) => text).join('; ')}.`;
  return rng.pick([` ${ask}`, '']);
}

/** A sentence with a capital first letter and a full stop. */
export function sentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`;
}
