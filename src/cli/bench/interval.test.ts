import { expect, test } from 'vitest';
import { medianInterval } from './interval';

/** Chance that the median lies between the ranks, of a binomial with p = 1/2: what the interval promises. */
function coverage(n: number, low: number, high: number): number {
  let [sum, term] = [0, 0.5 ** n];
  for (let k = 0; k < n; k++) {
    if (k >= low && k < high) sum += term;
    term *= (n - k) / (k + 1);
  }
  return sum;
}

test.each([6, 10, 11, 50, 100])('the ranks of %i values hold the median in 95 of 100 cases', (n) => {
  const ranks = Array.from({ length: n }, (_, i) => i + 1).reverse();
  const [low, high] = medianInterval(ranks) as [number, number];
  expect(low + high).toBeGreaterThanOrEqual(n);
  expect(coverage(n, low, high)).toBeGreaterThanOrEqual(0.95);
  // Not wider than need be: without its ends it would not do.
  if (n > 11) expect(coverage(n, low + 2, high - 2)).toBeLessThan(0.95);
});

test('too few values have none', () => {
  expect(medianInterval([1, 2, 3, 4, 5])).toBeNull();
});
