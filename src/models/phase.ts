/** Where the time of a load goes: its phases in the browser's own timeline, which developer tools show. */

/** What the names of all phases begin with. */
export const PHASE = 'terrarium ';

/** Does work and leaves its time as a measure (`performance.measure`) with this name; what it gives or throws passes through. */
export async function phase<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    performance.measure(PHASE + name, { start, end: performance.now() });
  }
}
