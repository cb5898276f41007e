/** The automaton over tokens: its ways from a state are what its tokens do one by one. */
import { expect, it } from 'vitest';
import { END } from '../../world/codec';
import { TokenAutomaton } from './automaton';
import { anyValue, errorCode, integer, list, object, oneOf, plainText, written, type Member } from './terms';
import { tokenizer } from './testing';

const member = (key: string, required: boolean): Member => ({ key, value: integer, required });
const terms = {
  json: anyValue(2, true),
  record: object('record', [member('id', true), member('n', false)], { keys: 'any', value: anyValue(1, false) }),
  list: list(
    'list',
    oneOf('ids', () => [[written('W17')], [written('W"2é')]]),
    1,
    3,
  ),
  text: plainText,
  code: errorCode,
};
/** Looking at each state token by token is slow. */
const MOST = 30;

it.each(Object.entries(terms))('%s', (_, term) => {
  const automaton = new TokenAutomaton(term, tokenizer);
  const states = [automaton.start];
  for (let i = 0; i < states.length && i < MOST; i++) {
    const state = states[i] as number;
    const found = new Map<number, number>();
    const { to, sets } = automaton.from(state);
    to.forEach((next, way) => {
      for (const token of automaton.tokens(sets[way] as number)) {
        // Each token leads to one state.
        expect(found.has(token)).toBe(false);
        found.set(token, next);
      }
      if (!states.includes(next)) states.push(next);
    });
    const each = Array.from({ length: tokenizer.vocabSize }, (_, token): [number, number] => [
      token,
      automaton.step(state, token),
    ]);
    expect(found).toEqual(new Map(each.filter(([, next]) => next >= 0)));
    if (automaton.isOver(state)) expect(found.size).toBe(0);
  }
  expect(states.length).toBeGreaterThan(2);
  // Sets with the same tokens are one set.
  const all = Array.from({ length: automaton.setCount }, (_, set) => automaton.tokens(set).join());
  expect(new Set(all).size).toBe(all.length);
  expect(states.some((state) => automaton.step(state, END) >= 0)).toBe(true);
});
