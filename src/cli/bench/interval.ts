/** Distribution-free interval of a median. */

/**
 * About 95% interval of the median by order statistics: ranks n/2 -+ 0.98 sqrt(n), rounded outwards (Conover, Practical
 * Nonparametric Statistics, 3.2; the normal approximation of the binomial).
 * @returns null below 6 values, where no pair of ranks reaches 95%
 */
export function medianInterval(values: readonly number[]): [number, number] | null {
  const n = values.length;
  if (n < 6) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const half = 0.98 * Math.sqrt(n);
  const low = Math.max(1, Math.floor(n / 2 - half));
  const high = Math.min(n, Math.ceil(n / 2 + half) + 1);
  return [sorted[low - 1] as number, sorted[high - 1] as number];
}
