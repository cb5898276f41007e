import { expect, it } from 'vitest';
import type { Transition } from '../world/types';
import { METRICS } from './registry';
import { scoreStep } from './score';
import { mistakeOf } from './mistakes';
import { shown, stepOf, written } from './testing';

const truth = shown({ id: 'W1', total: -40 });
const wrong = (answer: Transition) => {
  const step = stepOf(truth, { answer: written(answer) });
  return mistakeOf(scoreStep(step), step);
};

it.each([
  ['nothing', truth, null],
  ['a number', shown({ id: 'W1', total: 41 }), 'numbers'],
  ['an identifier', shown({ id: 'W12', total: -40 }), 'numbers'],
  ['a name', shown({ id: 'W1', sum: -40 }), 'text'],
  ['too little', shown({ id: 'W1' }), 'text'],
  ['what happens', shown({ kind: 'text', text: 'Error: W1 not found' }, { status: 'not_found' }), 'outcome'],
  ['only the delta', { ...truth, delta: { next: 'W5' } }, null],
])('%s is wrong', (_, answer, expected) => {
  expect(wrong(answer)).toBe(expected);
});

it('an answer that does not parse has no outcome', () => {
  const step = stepOf(truth, { answer: written(truth, { delta: '{"next' }) });
  expect(mistakeOf(scoreStep(step), step)).toBe('outcome');
});

it('exact and the three kinds add up to every step', () => {
  const steps = [truth, shown({ id: 'W1', total: 41 }), shown({ id: 'W1' })].map((answer) =>
    stepOf(truth, { answer: written(answer) }),
  );
  for (const step of steps) {
    const score = scoreStep(step);
    const names = ['observationExact', 'wrongOutcome', 'wrongNumbers', 'wrongText'] as const;
    expect(names.reduce((sum, name) => sum + METRICS[name].part(score, step).sum, 0)).toBe(1);
  }
});
