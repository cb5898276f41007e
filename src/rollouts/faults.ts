/** Fault plans of a run: their spelling in links and on the command line, and what a step has by its plan. */
import { FAULT_PRESETS, faultSchedule, type FaultPlan } from '../twins/faults';
import { DIRECTIVE_KINDS } from '../world/directives';
import type { Parsed } from '../world/json';
import type { Directive } from '../world/types';

const ORDER = Object.keys(DIRECTIVE_KINDS);

/** A plan in its one spelling: `mixed:2:1` are two faults of one step each. */
export function formatFaultPlan({ preset, count, duration }: FaultPlan): string {
  return `${preset}:${count}:${duration}`;
}

/** Reads what `formatFaultPlan` writes; numbers have at most three digits. The error says what was expected. */
export function parseFaultPlan(text: string): Parsed<FaultPlan> {
  const [name, count, duration, ...more] = text.split(':');
  const preset = FAULT_PRESETS.find((known) => known === name);
  const whole = (digits: string | undefined) => digits !== undefined && /^\d{1,3}$/.test(digits);
  if (!preset || !whole(count) || !whole(duration) || Number(duration) < 1 || more.length > 0) {
    return {
      ok: false,
      error: `"${text}" is not PRESET:COUNT:DURATION, for example mixed:2:1, with a preset of ${FAULT_PRESETS.join(', ')}`,
    };
  }
  return { ok: true, value: { preset, count: Number(count), duration: Number(duration) } };
}

/**
 * Directives of the first `horizon` steps of a run, or why the plan does not fit into them.
 * @param codes the family's codes of `fail(code)`
 */
export function scheduleOf(
  plan: FaultPlan,
  codes: readonly string[],
  horizon: number,
  seed: number,
): Parsed<Directive[][]> {
  try {
    return { ok: true, value: faultSchedule(plan, codes.length > 0 ? codes : ['unavailable'], horizon, seed) };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, error: error.message };
    throw error;
  }
}

/** What was chosen and what the plan adds, one of a kind (the chosen one) and in the order in which they apply. */
export function withFaults(chosen: readonly Directive[], scheduled: readonly Directive[] = []): Directive[] {
  const added = scheduled.filter(({ kind }) => chosen.every((directive) => directive.kind !== kind));
  if (added.length === 0) return [...chosen];
  return [...chosen, ...added].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}
