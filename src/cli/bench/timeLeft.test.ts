import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { duration, progressLine, TimeLeft } from './timeLeft';

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text).trim()) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('the rest is as slow as what is done, beside the weights', () => {
  const time = new TimeLeft(100);
  time.begin({ title: 'wasm2: ar', weight: 40 });
  vi.advanceTimersByTime(30_000);
  time.update(5, 10);
  // 20 of 100 in 30 s: 120 s for the other 80.
  expect(lines).toEqual(['30 s  wasm2: ar, 5 of 10, about 2 min 0 s left']);
  vi.advanceTimersByTime(1000);
  time.update(6, 10);
  expect(lines).toHaveLength(1);
  // A part that is given up counts as done: the next one begins behind it.
  vi.advanceTimersByTime(49_000);
  time.begin({ title: 'wasm2: mdlm', weight: 60 });
  expect(lines.at(-1)).toBe('1 min 20 s  wasm2: mdlm, about 2 min 0 s left');
});

test('no estimate from next to nothing', () => {
  expect(progressLine('start', 0.01, 5000)).toBe('      5 s  start');
});

test.each([
  [400, '0 s'],
  [59_600, '1 min 0 s'],
  [3_599_000, '59 min 59 s'],
  [5_400_000, '1 h 30 min'],
])('%i ms are %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
