/** Success of several tries at one task. */

/**
 * pass@k (Chen et al. 2021, human-eval): the chance that at least one of k tries drawn from n, of which c succeeded, is a
 * success: 1 - C(n-c, k) / C(n, k), in product form.
 * @throws RangeError unless 0 <= c <= n and 1 <= k <= n
 */
export function passAtK(n: number, c: number, k: number): number {
  check(n, c, k);
  return n - c < k ? 1 : 1 - ratio(n - c, n, k);
}

/** pass^k (tau-bench): the chance that all of k tries drawn from n succeed: C(c, k) / C(n, k). Same bounds as `passAtK`. */
export function passHatK(n: number, c: number, k: number): number {
  check(n, c, k);
  return c < k ? 0 : ratio(c, n, k);
}

/** Means of both over tasks, with the number of tasks that have at least k tries; null where none has. */
export function passRates(
  tasks: readonly { n: number; c: number }[],
  k: number,
): { k: number; n: number; any: number | null; every: number | null } {
  const long = tasks.filter(({ n }) => n >= k);
  const mean = (of: (n: number, c: number, k: number) => number) =>
    long.length === 0 ? null : long.reduce((sum, { n, c }) => sum + of(n, c, k), 0) / long.length;
  return { k, n: long.length, any: mean(passAtK), every: mean(passHatK) };
}

/** C(a, k) / C(n, k) for k <= a <= n. */
function ratio(a: number, n: number, k: number): number {
  let out = 1;
  for (let i = 0; i < k; i++) out *= (a - i) / (n - i);
  return out;
}

function check(n: number, c: number, k: number): void {
  if (c >= 0 && c <= n && k >= 1 && k <= n) return;
  throw new RangeError(`Tries need 0 <= c <= n and 1 <= k <= n, not n=${n}, c=${c}, k=${k}.`);
}
