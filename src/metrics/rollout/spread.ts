/** How much the same thing differs from seed to seed. A number of its own: a mean hides it. */

export interface Spread {
  /** Items, and seeds of the item that has the fewest. */
  n: number;
  seeds: number;
  mean: number | null;
  /** Mean over items of the standard deviation over seeds (n - 1 in the denominator). */
  within: number | null;
  /** Mean over items of the largest minus the smallest. */
  range: number | null;
  /** Items on which all seeds agree. */
  agreeing: number;
  /** Smallest and largest mean of one seed over all items: what a report of a single run could have said. */
  lowest: number | null;
  highest: number | null;
}

/**
 * Spread over seeds of a score.
 * @param items for each item (a step, a task) its score under each seed, the seeds in the same order everywhere; items with
 *   fewer than two seeds are left out
 */
export function spreadOverSeeds(items: readonly (readonly number[])[]): Spread {
  const used = items.filter((scores) => scores.length >= 2);
  if (used.length === 0) {
    return { n: 0, seeds: 0, mean: null, within: null, range: null, agreeing: 0, lowest: null, highest: null };
  }
  const seeds = Math.min(...used.map((scores) => scores.length));
  const bySeed = Array.from({ length: seeds }, (_, seed) => mean(used.map((scores) => scores[seed] ?? 0)));
  return {
    n: used.length,
    seeds,
    mean: mean(used.map(mean)),
    within: mean(used.map(deviation)),
    range: mean(used.map((scores) => Math.max(...scores) - Math.min(...scores))),
    agreeing: used.filter((scores) => scores.every((score) => score === scores[0])).length,
    lowest: Math.min(...bySeed),
    highest: Math.max(...bySeed),
  };
}

/**
 * Simpson's agreement of categories, such as answers as texts: the chance that two different seeds give the same; averaged over
 * items with at least two. 1 means that sampling changes nothing.
 */
export function agreementOverSeeds(items: readonly (readonly string[])[]): { agreement: number | null; n: number } {
  const used = items.filter((answers) => answers.length >= 2);
  const agreement = used.map((answers) => {
    const counts = new Map<string, number>();
    for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
    const same = [...counts.values()].reduce((sum, count) => sum + count * (count - 1), 0);
    return same / (answers.length * (answers.length - 1));
  });
  return { agreement: used.length === 0 ? null : mean(agreement), n: used.length };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}
