/** Deterministic checks of a task on a state. Done and reward come from here, never from a model. */
import { equal, get, isObject, stringify, type Json } from './json';
import type { Check, State, Task } from './types';

/** Value at a JSON Pointer (RFC 6901), or undefined. The empty pointer is the whole value. */
export function atPointer(value: Json, pointer: string): Json | undefined {
  let here: Json | undefined = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = /^(0|[1-9]\d*)$/.test(key) ? here[Number(key)] : undefined;
    else here = isObject(here) ? get(here, key) : undefined;
  }
  return here;
}

/** Escapes one key for use in a JSON Pointer. */
export function pointerKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Whether one check holds. Order comparisons are false unless both sides are numbers. */
export function holds(check: Check, state: State): boolean {
  const value = atPointer(state, check.path);
  switch (check.op) {
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case '==':
      return value !== undefined && equal(value, check.value);
    case '!=':
      return value === undefined || !equal(value, check.value);
    case '<':
    case '<=':
    case '>':
    case '>=': {
      if (typeof value !== 'number' || typeof check.value !== 'number') return false;
      if (check.op === '<') return value < check.value;
      if (check.op === '<=') return value <= check.value;
      return check.op === '>' ? value > check.value : value >= check.value;
    }
    default:
      return check satisfies never;
  }
}

/** True when every check of the task holds. A task without checks is never done. */
export function isDone(task: Task, state: State): boolean {
  return task.checks.length > 0 && task.checks.every((check) => holds(check, state));
}

/** Share of the checks that hold, in [0, 1]; 0 for a task without checks. */
export function progress(task: Task, state: State): number {
  if (task.checks.length === 0) return 0;
  return task.checks.filter((check) => holds(check, state)).length / task.checks.length;
}

/**
 * How far a state is from what the task asks for in numbers: the sum, over its checks with `>=`, `>`, `<=` and `<` against a
 * number, of what the value in the state falls short by. Where such a check asks for the optimum of a ledger, this is the
 * regret to the optimum. A check that holds counts 0, and so does a strict one at its bound; checks of other kinds do not
 * count, so a task without numeric bounds has regret 0; a value that is no number is infinitely short.
 */
export function regret(task: Task, state: State): number {
  let sum = 0;
  for (const check of task.checks) {
    const upward = check.op === '>=' || check.op === '>';
    if (!upward && check.op !== '<=' && check.op !== '<') continue;
    if (typeof check.value !== 'number') continue;
    const value = atPointer(state, check.path);
    if (typeof value !== 'number') return Infinity;
    sum += Math.max(0, upward ? check.value - value : value - check.value);
  }
  return sum;
}

/** Whether a task asks for an amount, so that falling short of it can be measured. */
export function hasRegret(task: Task): boolean {
  return task.checks.some((check) => 'value' in check && /[<>]/.test(check.op) && typeof check.value === 'number');
}

/**
 * Action efficiency of a run that reached its goal: changing calls of the shortest known plan over those the run took, in
 * (0, 1]. A run that needed fewer than the plan counts 1.
 */
export function efficiency(par: number, calls: number): number {
  return calls > par ? par / calls : 1;
}

/** A check as people read it, for example `/orders/W17/status == "cancelled"`. */
export function formatCheck(check: Check): string {
  return 'value' in check ? `${check.path} ${check.op} ${stringify(check.value)}` : `${check.path} ${check.op}`;
}
