import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, formatBytes, formatMs, formatTime, plainNumber, sentence } from './text';

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [7_900_000, '7.9 MB'],
    [999_949, '999.9 kB'],
    [999_951, '1.0 MB'],
    [999_999_999, '1.0 GB'],
    [5e12, '5000.0 GB'],
  ])('%d: %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it('never says 1000 of a unit that has a larger one, and is within half of the last digit', () => {
    const units: { [unit: string]: number } = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_000_000_000 }), (bytes) => {
        const [value, unit = ''] = formatBytes(bytes).split(' ');
        expect(Number(value)).toBeLessThan(1000);
        expect(Math.abs(Number(value) * (units[unit] ?? NaN) - bytes)).toBeLessThanOrEqual(0.0501 * (units[unit] ?? 0));
      }),
    );
  });
});

describe('formatMs', () => {
  it.each([
    [0, '0.0 ms'],
    [0.31, '0.3 ms'],
    [9.94, '9.9 ms'],
    [9.96, '10 ms'],
    [48.4, '48 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1234, '1.2 s'],
    [9960, '10 s'],
    [61_000, '61 s'],
  ])('%d: %s', (ms, text) => expect(formatMs(ms)).toBe(text));
});

it('a count has its noun in the plural unless there is one', () => {
  expect([0, 1, 2].map((n) => count(n, 'step'))).toEqual(['0 steps', '1 step', '2 steps']);
});

it('whatever was thrown becomes a sentence, with the advice that comes with it', () => {
  expect(sentence(new Error('It broke.'))).toBe('It broke.');
  expect(sentence(Object.assign(new Error('It broke.'), { advice: 'Mend it.' }))).toBe('It broke. Mend it.');
  expect(sentence(Object.assign(new Error('It broke.'), { advice: 3 }))).toBe('It broke.');
  expect(sentence('why')).toBe('why');
  expect(sentence(undefined)).toBe('undefined');
});

it('a time that is none stands as it is', () => {
  expect(formatTime('some day')).toBe('some day');
  expect(formatTime('2026-05-06T07:08:09.000Z')).toMatch(/\d/);
});

describe('plainNumber', () => {
  const read = (value: string, before = 5) => {
    const input = { value } as HTMLInputElement;
    return [plainNumber(input, before, 1, 10), input.value];
  };

  it.each([
    ['3', 3],
    [' 7 ', 7],
    ['2.6', 3],
    ['99', 10],
    ['-4', 1],
    ['', 5],
    ['  ', 5],
    ['many', 5],
    ['Infinity', 5],
  ])('reads %j as %d and shows it', (typed, value) => expect(read(typed)).toEqual([value, String(value)]));
});
