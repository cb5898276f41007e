/** Several tests at once. */

/**
 * p-values adjusted by Holm's step-down method (Holm 1979): sorted ascending, the i-th (from 0) of m is multiplied by m - i,
 * none falls below the one before it, none exceeds 1. Rejecting those at most alpha keeps the chance of any false
 * rejection at alpha, whatever the tests have to do with one another.
 */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).sort((a, b) => (ps[a] ?? 0) - (ps[b] ?? 0));
  const out = new Array<number>(ps.length).fill(1);
  let least = 0;
  order.forEach((at, i) => {
    least = Math.max(least, Math.min(1, (ps.length - i) * (ps[at] ?? 1)));
    out[at] = least;
  });
  return out;
}
