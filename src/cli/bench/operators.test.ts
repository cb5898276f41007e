import { expect, test } from 'vitest';
import { formatOperators, profileOf, readProfile, type ProfileEvent } from './operators';

const node = (op: string, ts: number, dur: number, shape: number[] = [1]): ProfileEvent => ({
  ...{ cat: 'Node', name: `${op}_1_kernel_time`, ts, dur },
  args: { op_name: op, output_type_shape: [{ float: shape }] },
});
const run = (ts: number, dur: number): ProfileEvent => ({ cat: 'Session', name: 'model_run', ts, dur, args: {} });

/** A pass that does not count, and one with two products in front of a loop of two turns. */
const events = [
  node('MatMul', 10, 5000, [1, 2, 8]),
  run(0, 6000),
  node('MatMul', 10_010, 2000, [1, 2, 8]),
  node('FusedMatMul', 12_010, 500, [1, 2, 2, 2]),
  node('MatMul', 13_100, 300, [1, 8]),
  node('ArgMax', 13_500, 10),
  node('MatMul', 13_600, 300, [1, 2, 1, 4]),
  node('ArgMax', 13_950, 10),
  node('Loop', 13_000, 1000),
  run(10_000, 4500),
];

test('only the last passes count, and a loop is told apart from what is before it', () => {
  expect(profileOf(events, 1)).toEqual({
    ...{ passes: 1, ms: 4.5, turns: 2 },
    prompt: [
      { operator: 'MatMul with weights', calls: 1, ms: 2 },
      { operator: 'MatMul of attention, scores', calls: 1, ms: 0.5 },
    ],
    loop: [
      { operator: 'MatMul with weights', calls: 1, ms: 0.3 },
      { operator: 'MatMul of attention, values', calls: 1, ms: 0.3 },
      { operator: 'ArgMax', calls: 2, ms: 0.02 },
    ],
  });
});

test('what the runtime prints is read, whatever stands before it', () => {
  const printed = `warning: nothing\n[\n${events.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`;
  expect(readProfile(printed)).toEqual(events);
  expect(() => readProfile('[\n{"cat" : "Node"},')).toThrow(SyntaxError);
});

test('small ones stand together, and shares are of all', () => {
  const times = [
    { operator: 'MatMul with weights', calls: 8, ms: 99.2 },
    { operator: 'Add', calls: 4, ms: 0.5 },
    { operator: 'Cast', calls: 2, ms: 0.3 },
  ];
  expect(formatOperators('a pass', times, 2).split('\n').slice(2)).toEqual([
    '| MatMul with weights | 4.0 | 49.600 | 99.2% |',
    '| 2 others | 3.0 | 0.400 | 0.8% |',
  ]);
});
