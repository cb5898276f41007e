/** Small pieces of text of the page. */

const SIZES = ['B', 'kB', 'MB', 'GB'] as const;

/** Bytes as people read them, in powers of 1000 with one decimal: `7.9 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // What would round to 1000.0 is already one of the next unit.
  while (value >= (unit === 0 ? 1000 : 999.95) && unit < SIZES.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${SIZES[unit]}`;
}

/** Milliseconds: `0.3 ms`, `48 ms`, `1.2 s`. */
export function formatMs(ms: number): string {
  // Bounds are where rounding ends: 999.5 ms is 1.0 s, and 9.95 is 10.
  if (ms >= 999.5) return `${(ms / 1000).toFixed(ms >= 9950 ? 0 : 1)} s`;
  return `${ms.toFixed(ms >= 9.95 ? 0 : 1)} ms`;
}

/** A count with its noun: `1 step`, `3 steps`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** Any thrown value as a sentence for people, with the advice that errors of this project bring. */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const advice = 'advice' in error && typeof error.advice === 'string' ? ` ${error.advice}` : '';
  return `${error.message}${advice}`;
}

/** A point in time as the reader's own clock shows it. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** The whole number of an input within bounds; what is none goes back to what it was. */
export function plainNumber(input: HTMLInputElement, before: number, min: number, max: number): number {
  const typed = input.value.trim() === '' ? NaN : Math.round(Number(input.value));
  const value = Number.isFinite(typed) ? Math.min(max, Math.max(min, typed)) : before;
  input.value = String(value);
  return value;
}
