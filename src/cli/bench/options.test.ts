import { expect, test } from 'vitest';
import { parseBenchArgs, reducedOf, type BenchOptions } from './options';
import { sizesOf } from './sizes';

const parse = (...args: string[]) => parseBenchArgs(args) as BenchOptions;

test('without arguments a bench is a full one', () => {
  const options = parse();
  expect(options).toMatchObject({ providers: null, exact: 300, runs: 50, openings: 10, endurance: 1000, minutes: 38 });
  expect(options.lanes).toEqual([1, 8, 32, 100]);
  expect(reducedOf(options)).toEqual([]);
  const sizes = sizesOf(options);
  expect(sizes.timed).toBe(50);
  // Whole groups of lanes, and at least ten rounds of a single lane.
  for (const { lanes, worlds } of sizes.lanes) expect(worlds % lanes).toBe(0);
  expect((sizes.lanes[0]?.worlds ?? 0) * sizes.laneSteps).toBeGreaterThanOrEqual(10);
});

test('a quick bench says what it has less of, and what is given beside it counts', () => {
  expect(reducedOf(parse('--quick'))).toEqual([
    'exactness on 10 transitions instead of 300',
    'medians of 3 runs instead of at least 10',
    '1 openings of the page instead of 10',
    'no 32, 100 lanes',
    '40 steps of endurance instead of 1000',
  ]);
  const mixed = parse('--quick', '--exact', '300', '--lanes', '100,1', '--endurance', '0');
  expect(mixed).toMatchObject({ exact: 300, lanes: [1, 100], endurance: 0, runs: 3 });
  expect(sizesOf(parse('--exact', '4')).timed).toBe(4);
});

test('providers come in one order, each once', () => {
  expect(parse('--providers', 'webgpu, wasm1,webgpu').providers).toEqual(['wasm1', 'webgpu']);
  expect(parseBenchArgs(['--help'])).toBeNull();
});

test.each([
  [['--providers', 'cuda'], /--providers "cuda" is none of wasm1, wasm2, webgpu/],
  [['--exact', '0'], /--exact 0 is not a whole number from 1/],
  [['--runs', '2.5'], /--runs 2.5 is not a whole number/],
  [['--lanes', '1,7'], /--lanes "7" is none of 1, 8, 32, 100/],
  [['--endurance', '5'], /--endurance 5 is not 0, or a whole number from 20/],
  [['--minutes', '0'], /--minutes 0 is not a number of minutes/],
  [['--seed', '100'], /--seed 100 is not a whole number from 0 to 99/],
  [['--what'], /--what/],
])('%j is refused with a reason and the usage', (args, reason) => {
  expect(() => parseBenchArgs(args)).toThrow(reason);
  expect(() => parseBenchArgs(args)).toThrow(/Use: npm run -s bench/);
});
