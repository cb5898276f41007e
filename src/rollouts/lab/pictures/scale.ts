/** Scales and their ticks: from values to pixels. */

export interface Scale {
  (value: number): number;
  ticks: number[];
}

/** A linear scale whose ticks are round numbers inside the domain; a domain without width is drawn in the middle. */
export function linear([low, high]: readonly [number, number], [from, to]: readonly [number, number], n = 5): Scale {
  const span = high - low;
  const at = (value: number) => (span === 0 ? (from + to) / 2 : from + ((value - low) / span) * (to - from));
  return Object.assign(at, { ticks: span === 0 ? [low] : roundTicks(low, high, n) });
}

/**
 * A logarithmic scale over positive values; what is not positive stands at the low end. Ticks are powers of ten, with 2 and 5
 * between them where there are few.
 */
export function logarithmic(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const least = positive.length === 0 ? 1 : Math.min(...positive);
  const most = positive.length === 0 ? 10 : Math.max(...positive);
  // Half a step of room at each end, so that no mark lies on the frame.
  const low = Math.log10(least) - 0.15;
  const high = Math.max(Math.log10(most) + 0.15, low + 0.6);
  const at = (value: number) => from + ((Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)) * (to - from);
  const factors = high - low > 3 ? [1] : [1, 2, 5];
  const powers = Array.from({ length: Math.ceil(high) - Math.floor(low) + 1 }, (_, i) => Math.floor(low) + i);
  const ticks = powers
    .flatMap((power) => factors.map((factor) => Number(`${factor}e${power}`)))
    .filter((tick) => Math.log10(tick) >= low && Math.log10(tick) <= high);
  return Object.assign(at, { ticks });
}

/** Whole numbers from low to high, at most n of them, at a round distance (1, 2, 5, 10, ...), from low on. */
export function wholeTicks(low: number, high: number, n = 10): number[] {
  const step = Math.max(1, roundUp((high - low) / Math.max(n - 1, 1)));
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);
}

/** About n round numbers (steps of 1, 2 or 5 times a power of ten) from low to high. */
function roundTicks(low: number, high: number, n: number): number[] {
  const step = roundUp((high - low) / Math.max(n, 1));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // Through a text, so that a tick is 0.6 and not 0.6000000000000001.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function roundUp(x: number): number {
  if (!(x > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  return power * (([1, 2, 5].find((factor) => factor * power >= x * (1 - 1e-9)) ?? 10) as number);
}
