/** Small pieces of text of the page. */

const SIZES = ['B', 'kB', 'MB', 'GB'] as const;

/** Bytes as people read them, in powers of 1000 with one decimal: `7.9 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < SIZES.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${SIZES[unit]}`;
}

/** Milliseconds: `0.3 ms`, `48 ms`, `1.2 s`. */
export function formatMs(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(ms >= 10_000 ? 0 : 1)} s`;
  return `${ms >= 10 ? ms.toFixed(0) : ms.toFixed(1)} ms`;
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
