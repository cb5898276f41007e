/** Agreement of raters. */

export type Level = 'nominal' | 'ordinal' | 'interval' | 'ratio';

/**
 * Krippendorff's alpha (Krippendorff 2011), 1 - D_o/D_e over the coincidence matrix: 1 for full agreement, 0 for chance, negative
 * below it. Units with fewer than two ratings say nothing and are left out.
 * @param ratings for each rater a number for each unit, null where it was not rated
 * @returns null where no two ratings can be compared or all of them are the same
 */
export function krippendorff(ratings: readonly (readonly (number | null)[])[], level: Level): number | null {
  const units = Array.from({ length: Math.max(0, ...ratings.map((row) => row.length)) }, (_, unit) =>
    ratings.map((row) => row[unit] ?? null).filter((value) => value !== null),
  ).filter((unit) => unit.length >= 2);
  const values = [...new Set(units.flat())].sort((a, b) => a - b);
  const coincidence = values.map(() => new Array<number>(values.length).fill(0));
  for (const unit of units) {
    unit.forEach((a, i) => {
      unit.forEach((b, j) => {
        const row = coincidence[values.indexOf(a)];
        if (i !== j && row) row[values.indexOf(b)] = (row[values.indexOf(b)] ?? 0) + 1 / (unit.length - 1);
      });
    });
  }
  const totals = coincidence.map((row) => row.reduce((sum, x) => sum + x, 0));
  const n = totals.reduce((sum, x) => sum + x, 0);
  let observed = 0;
  let expected = 0;
  values.forEach((_, i) => {
    values.forEach((_, j) => {
      const d = distance(values, totals, i, j, level);
      observed += (coincidence[i]?.[j] ?? 0) * d;
      expected += ((totals[i] ?? 0) * (totals[j] ?? 0) * d) / (n - 1);
    });
  });
  return expected === 0 ? null : 1 - observed / expected;
}

/** Squared difference of two values at a level of measurement. */
function distance(values: readonly number[], totals: readonly number[], i: number, j: number, level: Level): number {
  const [a, b] = [values[i] ?? 0, values[j] ?? 0];
  switch (level) {
    case 'nominal':
      return Number(i !== j);
    case 'interval':
      return (a - b) ** 2;
    case 'ratio':
      return a + b === 0 ? 0 : ((a - b) / (a + b)) ** 2;
    case 'ordinal': {
      const between = totals.slice(Math.min(i, j), Math.max(i, j) + 1).reduce((sum, x) => sum + x, 0);
      return (between - ((totals[i] ?? 0) + (totals[j] ?? 0)) / 2) ** 2;
    }
    default:
      return level satisfies never;
  }
}
