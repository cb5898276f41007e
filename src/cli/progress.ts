/** Notes on stderr of how far a long command is. */

const EVERY_MS = 10_000;

/**
 * A listener for what is done, which writes a line at most every ten seconds, and for the last.
 * @param say the line without its end; `ms` since the listener was made
 */
export function progressNotes(total: number, say: (done: number, ms: number) => string): (done: number) => void {
  const began = performance.now();
  let last = began;
  return (done) => {
    const now = performance.now();
    if (now - last < EVERY_MS && done < total) return;
    last = now;
    process.stderr.write(`${say(done, now - began)}\n`);
  };
}
