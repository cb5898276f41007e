/** A number of a table with what it rests on. */
import { bootstrap95, ratioOf, wilson95, type Interval, type Ratio } from '../../metrics';

/** A share with its denominator. */
export interface Detail extends Ratio {
  /** Null where nothing counts. */
  mean: number | null;
  /** 95%; null where it cannot be had: for graded parts that is also where all clusters agree. */
  interval: Interval | null;
  /** Wilson's where the clusters all agree or are fewer than two, and the parts are yes or no. */
  method: 'bootstrap' | 'wilson' | null;
}

/** Resamples of so many clusters: the same for all numbers over as many. */
export type Draws = (clusters: number) => readonly Uint32Array[];

/** What stands where nothing counts. */
export const NOTHING: Detail = { sum: 0, n: 0, mean: null, interval: null, method: null };

/**
 * A share over clusters with its interval.
 * @param graded whether parts may be other than yes or no; then there is no Wilson interval
 */
export function detailOf(parts: readonly Ratio[], graded: boolean, draws: Draws): Detail {
  const mean = ratioOf(parts);
  const sum = parts.reduce((total, part) => total + part.sum, 0);
  const n = parts.reduce((total, part) => total + part.n, 0);
  const bootstrap = bootstrap95(parts, draws(parts.length));
  if (bootstrap) return { sum, n, mean, interval: bootstrap, method: 'bootstrap' };
  if (n > 0 && !graded) return { sum, n, mean, interval: wilson95(sum, n), method: 'wilson' };
  return { sum, n, mean, interval: null, method: null };
}
