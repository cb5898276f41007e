/** Whether an answer with pinned values holds together. */
import { pinHolds, type Pin } from '../world/anchors';
import { answerText } from '../world/codec/answer';
import { transitionLeaves } from './paths';
import { BOOTSTRAP, bootstrap95, resample, wilson95, type Interval, type Ratio } from './statistics';
import type { Cost, Selection } from '../world/simulator';
import type { Transition } from '../world/types';
import type { Answer } from './types';

export interface AnchorResult {
  /** Pins that stand in the answer. For a diffusion model that is all of them by construction: no merit of its own. */
  satisfied: Ratio;
  /** Leaves of the true answer outside the pins that the answer has; leaves it has beyond those are in the denominator. */
  rest: Ratio;
  /** All pins satisfied and the rest exactly right: the number to report. */
  consistent: boolean;
}

/**
 * Anchor consistency (`metrics_formats.md` 1.3): satisfied *and* the rest consistent with it.
 * @param pins values of `truth`, an answer the twin gives
 * @returns null where a pin is not a value of the truth: an outcome that cannot be has no consistent rest
 */
export function anchorResult(pins: readonly Pin[], truth: Transition, answer: Answer): AnchorResult | null {
  const right = answerText(truth);
  if (!pins.every((pin) => pinHolds(pin, right))) return null;
  const free = (transition: Transition) =>
    [...transitionLeaves(transition, false)].filter(([path]) => !pins.some((pin) => covers(pin, path)));
  const wanted = new Map(free(truth));
  const parsed = answer.parseErrors.length === 0;
  const given = parsed ? free(answer.transition) : [];
  const extra = given.filter(([path]) => !wanted.has(path)).length;
  const satisfied = { sum: pins.filter((pin) => pinHolds(pin, answer.text)).length, n: pins.length };
  const rest = { sum: given.filter(([path, value]) => wanted.get(path) === value).length, n: wanted.size + extra };
  return { satisfied, rest, consistent: parsed && satisfied.sum === satisfied.n && rest.sum === rest.n };
}

/** Whether a leaf lies in what a pin pins. */
function covers({ slot, pointer }: Pin, leaf: string): boolean {
  const tops = slot === 'observation' ? ['/observation', '/text'] : [`/${slot}`];
  return tops.some((top) => `${leaf}/`.startsWith(`${top}${pointer}/`));
}

/** One answer with pins, for the tables. */
export interface AnchorRow {
  /** The trajectory its transition comes from; intervals resample whole trajectories. */
  episode: string;
  result: AnchorResult;
  /** How the answer was chosen; null where nothing was pinned or the pins were refused. */
  selection: Selection | null;
  cost: Cost;
}

/** A share with its parts and 95% intervals: Wilson (answers taken for independent) and bootstrap over trajectories. */
export interface AnchorShare extends Ratio {
  share: number | null;
  wilson: Interval | null;
  bootstrap: Interval | null;
}

/** The interval to show: over trajectories, and Wilson's where these all agree or are fewer than two. */
export function anchorInterval({ bootstrap, wilson }: AnchorShare): Interval | null {
  return bootstrap ?? wilson;
}

export interface AnchorSummary {
  n: number;
  trajectories: number;
  /** Answers in which every pin holds and the rest is exactly the twin's under that outcome: the number to report. */
  consistent: AnchorShare;
  /** Pins that hold, of all pins. */
  satisfied: AnchorShare;
  /** Leaves of the rest that are right, of those the twin or the answer has. */
  rest: AnchorShare;
  /** Pins that were fixed before generation, of all pins; the others were tried for. */
  placed: AnchorShare;
  /** Answers in which every pin held, of all answers that were tried: the acceptance rate of rejection. */
  accepted: AnchorShare;
  /** Answers tried for each transition, and mean costs of all of them together. */
  attempts: number | null;
  nfe: number | null;
  forwardTokens: number | null;
  ms: number | null;
}

/** Shares and mean costs of answers with pins. Answers whose pins were refused count as failed, with one attempt. */
export function summarizeAnchors(rows: readonly AnchorRow[]): AnchorSummary {
  const episodes = [...new Set(rows.map(({ episode }) => episode))];
  const clusters = episodes.map((episode) => rows.filter((row) => row.episode === episode));
  const resamples = resample(episodes.length, BOOTSTRAP.count, BOOTSTRAP.seed);
  const share = (part: (row: AnchorRow) => Ratio, independent: boolean): AnchorShare => {
    const sums = clusters.map((cluster) => sumOf(cluster.map(part)));
    const { sum, n } = sumOf(sums);
    return {
      ...{ sum, n, share: n === 0 ? null : sum / n },
      wilson: independent && n > 0 ? wilson95(sum, n) : null,
      bootstrap: bootstrap95(sums, resamples),
    };
  };
  const tried = ({ selection }: AnchorRow): Ratio => ({ sum: selection?.accepted ?? 0, n: selection?.attempts ?? 1 });
  const placed = ({ selection, result }: AnchorRow): Ratio => ({
    sum: selection?.pins.filter((pin) => pin.placed).length ?? 0,
    n: result.satisfied.n,
  });
  const mean = (of: (row: AnchorRow) => number) =>
    rows.length === 0 ? null : rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  return {
    n: rows.length,
    trajectories: episodes.length,
    consistent: share(({ result }) => ({ sum: Number(result.consistent), n: 1 }), true),
    satisfied: share(({ result }) => result.satisfied, true),
    rest: share(({ result }) => result.rest, false),
    placed: share(placed, true),
    accepted: share(tried, true),
    attempts: mean((row) => tried(row).n),
    nfe: mean(({ cost }) => cost.nfe),
    forwardTokens: mean(({ cost }) => cost.forwardTokens),
    ms: mean(({ cost }) => cost.ms),
  };
}

function sumOf(parts: readonly Ratio[]): Ratio {
  return parts.reduce((a, b) => ({ sum: a.sum + b.sum, n: a.n + b.n }), { sum: 0, n: 0 });
}
