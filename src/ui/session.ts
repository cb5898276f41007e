/** The run a tab had open, in the state of its history entry: a reload brings it back, a copied link does not carry it. */

interface Entry {
  run?: unknown;
  step?: unknown;
}

/** Remembers the open run and the step it goes on from; null forgets it. */
export function rememberRun(id: string | null, step: string | null = null): void {
  history.replaceState(id === null ? null : { run: id, step }, '');
}

/** The run that was open before the reload and the step it went on from (null: not known), or null. */
export function rememberedRun(): { run: string; step: string | null } | null {
  const { run, step } = (history.state ?? {}) as Entry;
  return typeof run === 'string' ? { run, step: typeof step === 'string' ? step : null } : null;
}
