/** What goes wrong with a browser's storage, as sentences that say what to do. */

export const KEPT = 'Runs are kept in memory and are gone when the page is closed: export what you want to keep.';

/** Name and message of anything that was thrown. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}, ${error.message || 'without a reason'}` : String(error);
}

/** Why IndexedDB refused, as a sentence that says what to do. */
export function storageProblem(error: unknown): string {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') return `The browser's storage is full: delete runs you do not need. ${KEPT}`;
  if (name === 'VersionError') return `The storage was written by a newer Terrarium: reload this page. ${KEPT}`;
  if (name === 'SecurityError' || name === 'InvalidStateError' || name === 'ReferenceError') {
    return `The browser does not give this page storage (private mode, or blocked in its settings). ${KEPT}`;
  }
  return `The browser's storage failed (${nameOf(error)}). ${KEPT}`;
}
