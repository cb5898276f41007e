import { describe, expect, it } from 'vitest';
import { makeWorld, twinTransition } from '../../twins';
import { answerText, parseAnswer } from '../../world/codec';
import type { JsonObject } from '../../world/json';
import type { Action, Observation, Transition, World } from '../../world/types';
import { effect, identifiers, leans } from './evidence';
import { contradictions, judge, judgeStep, verdictOf, type Answer } from './judge';
import type { PlayedStep, Trap } from './types';

/** A desk with two orders, of which only the paid one may be cancelled. */
const base = makeWorld('support', 1);
const world: World = {
  ...base,
  state: {
    customers: { C1: { name: 'ana', city: 'oslo' } },
    orders: {
      W17: { customer: 'C1', status: 'paid', total: 40, days: 3, refunded: 0 },
      W71: { customer: 'C1', status: 'shipped', total: 90, days: 9, refunded: 5 },
    },
    items: { I1: { order: 'W17', name: 'lamp', state: 'kept' } },
  },
  rules: [
    { id: 'cancel_status', text: 'only paid orders can be cancelled', enabled: true, params: { status: 'paid' } },
  ],
  task: { instruction: 'Cancel W71.', checks: [{ path: '/orders/W71/status', op: '==', value: 'cancelled' }] },
};

const get = (id: string): Action => ({ tool: 'get_order', args: { id } });
const cancel = (id: string): Action => ({ tool: 'cancel_order', args: { id } });

function step(action: Action, traps: Trap[] = []): PlayedStep {
  const context = { world, history: [] };
  const truth = twinTransition(context, action, []);
  return { context, state: world.state, action, directives: [], truth, traps };
}

function said(observation: JsonObject | string, delta: JsonObject = {}, status = 'ok'): Answer {
  const shown: Observation =
    typeof observation === 'string' ? { kind: 'text', text: observation } : { kind: 'json', value: observation };
  const transition: Transition = { observation: shown, delta, status };
  return { transition, text: answerText(transition), parseErrors: [] };
}

const W17 = { id: 'W17', customer: 'C1', status: 'paid', total: 40, days: 3, refunded: 0 };
const W71 = { id: 'W71', customer: 'C1', status: 'shipped', total: 90, days: 9, refunded: 5 };

describe('judgeStep', () => {
  it('finds nothing in the true answer, in another order of keys, or with a delta that repeats what holds', () => {
    expect(judgeStep(step(get('W17')), said(W17))).toEqual([]);
    expect(judgeStep(step(get('W17')), said({ ...{ refunded: 0 }, ...W17 }))).toEqual([]);
    expect(judgeStep(step(get('W17')), said(W17, { orders: { W17: { total: 40 } } }))).toEqual([]);
  });

  it.each<[string, Action, Answer, string[]]>([
    ['another record', get('W17'), said(W71), ['wrong_record']],
    ['a wrong number', get('W17'), said({ ...W17, total: 41 }), ['other']],
    ['an id from nowhere', get('W17'), said({ ...W17, customer: 'C9' }), ['invented_id']],
    ['an error for a success', get('W17'), said('Error: not here', {}, 'not_found'), ['wrong_status']],
    ['a read that changes', get('W17'), said(W17, { orders: { W17: { total: 1 } } }), ['changed_on_read']],
    [
      'a delta beside an error',
      cancel('W71'),
      said('Error: no', { orders: { W71: { total: 1 } } }, 'not_allowed'),
      ['changed_on_error'],
    ],
    [
      'the goal although it is forbidden',
      cancel('W71'),
      said({ id: 'W71', status: 'cancelled' }, { orders: { W71: { status: 'cancelled' } } }),
      ['faked_success'],
    ],
    ['the beginning', get('W17'), said({ id: 'W17', customer: 'C1' }), ['cut_short']],
    ['another code', cancel('W71'), said('Error: only paid orders can be cancelled', {}, 'conflict'), ['wrong_status']],
  ])('names %s', (_, action, answer, failures) => {
    expect(judgeStep(step(action), answer)).toEqual(failures);
  });

  it('reads what does not parse as nothing else, but for an answer that stops early', () => {
    const text = answerText(step(get('W17')).truth);
    const bad = { ...text, delta: '{' };
    expect(judgeStep(step(get('W17')), { ...parseAnswer(bad), text: bad })).toEqual(['unparsable']);
    const cut = { ...text, observation: text.observation.slice(0, 40) };
    expect(judgeStep(step(get('W17')), { ...parseAnswer(cut), text: cut })).toEqual(['unparsable', 'cut_short']);
  });

  it('names a trap instead of the status it is about', () => {
    const bait = said({ id: 'W71', status: 'cancelled' }).transition;
    const trap: Trap = { failure: 'ignored_rule', bait };
    expect(judgeStep(step(cancel('W71'), [trap]), said({ done: true }))).toEqual(['ignored_rule']);
    expect(judgeStep(step(cancel('W71'), [trap]), said('Error: no', {}, 'conflict'))).toEqual(['wrong_status']);
  });

  it('sees a member that nobody can know', () => {
    const trap: Trap = { failure: 'filled_in', absent: ['colour'] };
    expect(judgeStep(step(get('W17'), [trap]), said({ ...W17, colour: 'red' }))).toEqual(['filled_in']);
    expect(judgeStep(step(get('W17'), [trap]), said({ ...W17, total: 4 }))).toEqual(['other']);
  });

  it('does not call an empty success an invention', () => {
    const trap: Trap = { failure: 'invented_id', bait: said({ id: 'W9' }).transition };
    expect(judgeStep(step(get('W9'), [trap]), said({}))).toEqual(['wrong_status']);
    expect(judgeStep(step(get('W9'), [trap]), said({ id: 'W9' }))).toEqual(['invented_id']);
  });
});

describe('leans', () => {
  const truth = said({ id: 'W17', refunded: 5 }, { orders: { W17: { refunded: 5 } } }).transition;
  const bait = said({ id: 'W17', refunded: 9 }, { orders: { W17: { refunded: 9 } } }).transition;
  it('by one value that only the bait has, shown or changed', () => {
    expect(leans(said({ refunded: 9 }).transition, truth, bait, world.state)).toBe(true);
    expect(leans(said({}, { orders: { W17: { refunded: 9 } } }).transition, truth, bait, world.state)).toBe(true);
    expect(leans(said({ id: 'W17', refunded: 7 }).transition, truth, bait, world.state)).toBe(false);
    expect(leans(truth, truth, bait, world.state)).toBe(false);
  });

  it('by the whole answer where the bait shows less', () => {
    const less = said({ id: 'W17' }, truth.delta).transition;
    expect(leans(less, truth, less, world.state)).toBe(true);
    expect(leans(said({ id: 'W17' }).transition, truth, less, world.state)).toBe(false);
  });
});

describe('contradictions', () => {
  it('are different answers to one question on one state', () => {
    const steps = [step(get('W17')), step(get('W71')), step(get('W17'))];
    expect(contradictions(steps, [said(W17), said(W17), said({ ...W17, total: 1 })])).toEqual(new Set([2]));
    expect(contradictions(steps, [said(W17), said(W71), said(W17)])).toEqual(new Set());
    expect(contradictions(steps, [null, said(W71), said(W17)])).toEqual(new Set());
    expect(judge(steps, [said({ ...W17, total: 1 }), null, said(W17)])).toEqual([
      ['other'],
      ['no_answer'],
      ['inconsistent'],
    ]);
  });
});

it('a verdict is exact without failures, held with other details only, and failed otherwise', () => {
  expect(verdictOf([])).toBe('exact');
  expect(verdictOf(['other'])).toBe('held');
  expect(verdictOf(['wrong_status', 'other'])).toBe('failed');
});

it('an effect is what really changes', () => {
  const { state } = world;
  expect(effect(state, { orders: { W17: { total: 40, days: 4 }, W99: null } })).toEqual({
    orders: { W17: { days: 4 } },
  });
});

it('identifiers hold a letter and a digit', () => {
  expect(identifiers('W17 and lamp 40 plan62.cfg "\\u0041x1"')).toEqual(new Set(['W17', 'plan62.cfg', 'x1']));
});
