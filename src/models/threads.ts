/** How many threads WebAssembly gets. */

/**
 * Threads need cross-origin isolation; without it everything is right on one. Small models gain little beyond four, and
 * lanes run one after another, so they may have all cores of a small machine.
 */
export function wasmThreads(): number {
  if (!globalThis.crossOriginIsolated) return 1;
  return Math.max(1, Math.min(4, navigator.hardwareConcurrency || 1));
}
