/** The run a tab had open, in the state of its history entry: a reload brings it back, a copied link does not carry it. */

interface Entry {
  run?: unknown;
}

/** Remembers the open run; null forgets it. */
export function rememberRun(id: string | null): void {
  history.replaceState(id === null ? null : { run: id }, '');
}

/** Id of the run that was open before the reload, or null. */
export function rememberedRun(): string | null {
  const run = (history.state as Entry | null)?.run;
  return typeof run === 'string' ? run : null;
}
