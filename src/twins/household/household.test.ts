/** What is special in the household: what can be seen and reached, the sentences, and plans that mind the rules. */
import { describe, expect, test } from 'vitest';
import { applyDelta } from '../../world/mergePatch';
import type { JsonObject } from '../../world/json';
import type { Action, Directive, Rule, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import type { Params, Seeded } from '../kit/types';
import { Planner } from './plan';
import { PROGRAM } from './tools';

const STATE: State = {
  receptacles: {
    fridge_1: { room: 'kitchen', door: 'closed', cool: 4 },
    sinktop_2: { room: 'kitchen', water: true },
    stove_3: { room: 'kitchen', heat: 80 },
    lampstand_4: { room: 'den', light: 'off' },
    drawer_5: { room: 'den', door: 'open' },
  },
  objects: {
    apple_2: { kind: 'food', at: 'fridge_1', clean: true, temp: 20 },
    mug_1: { kind: 'crockery', at: 'sinktop_2', clean: false, temp: 50 },
    egg_7: { kind: 'food', at: 'fridge_1', clean: false, temp: 9 },
    plate_6: { kind: 'crockery', at: 'hand', clean: true, temp: 21 },
  },
  agent: { at: 'fridge_1' },
};

function rule(id: string, params: Params): Rule {
  const text = PROGRAM.rules.find((def) => def.id === id)?.text(params) ?? '';
  return { id, params, text, enabled: true };
}

/** What a line of calls answers, one after another. */
function play(calls: readonly Action[], rules: readonly Rule[] = [], start: State = STATE, ...asked: Directive[]) {
  let state = start;
  const texts = calls.map((action) => {
    const { observation, delta, status } = stepProgram(PROGRAM, state, rules, action, asked);
    state = applyDelta(state, delta);
    return `${status}: ${observation.kind === 'text' ? observation.text : 'JSON'}`;
  });
  return { texts, state };
}

const call = (tool: string, id?: string): Action => ({ tool, args: id === undefined ? {} : { id } });
const object = (state: State, id: string) => (state.objects as JsonObject)[id];

describe('what is seen', () => {
  test('a closed door hides what is behind it, as if it did not exist', () => {
    const { texts } = play([call('take', 'egg_7'), call('take', 'egg_9'), call('examine', 'fridge_1')]);
    expect(texts).toEqual([
      'not_here: Error: you see no egg_7 here',
      'not_here: Error: you see no egg_9 here',
      'ok: It is closed.\nIt can cool to 4 degrees.',
    ]);
  });

  test('an open one shows it in the order of the records', () => {
    const { texts } = play([call('open', 'fridge_1'), call('put', 'plate_6'), call('take', 'apple_2')]);
    expect(texts).toEqual([
      'ok: You open the fridge_1.\nIn it you see an apple_2 and an egg_7.',
      'ok: You put the plate_6 in the fridge_1.',
      'ok: You take the apple_2 from the fridge_1.',
    ]);
  });

  test('look tells near from far by the room', () => {
    expect(play([call('look')]).texts).toEqual([
      'ok: You are at the fridge_1 in the kitchen. You hold a plate_6.\nNear it you see a sinktop_2 and a stove_3.\n' +
        'Elsewhere there is a lampstand_4 and a drawer_5.',
    ]);
  });

  test('in the dark nothing can be taken until the light is on', () => {
    const dark = rule('dark', { place: 'sinktop_2', lamp: 'lampstand_4' });
    const { texts } = play(
      [
        call('put', 'plate_6'),
        call('go_to', 'sinktop_2'),
        call('take', 'mug_1'),
        call('go_to', 'lampstand_4'),
        call('use', 'lampstand_4'),
        call('go_to', 'sinktop_2'),
        call('take', 'mug_1'),
      ],
      [dark, rule('hands', { max: 2 })],
    );
    expect(texts).toEqual([
      'closed: Error: the fridge_1 is closed',
      'ok: You go to the sinktop_2.\nIt is too dark to see.',
      'not_here: Error: you see no mug_1 here',
      'ok: You go to the lampstand_4.\nOn it you see nothing.',
      'ok: You turn the lampstand_4 on.',
      'ok: You go to the sinktop_2.\nOn it you see a mug_1.',
      'ok: You take the mug_1 from the sinktop_2.',
    ]);
  });
});

describe('hands and treatments', () => {
  test('one thing is held, more where a rule says so', () => {
    const calls = [call('open', 'fridge_1'), call('take', 'egg_7'), call('take', 'apple_2')];
    expect(play(calls).texts.slice(1)).toEqual(Array(2).fill('hands_full: Error: your hands are full'));
    expect(play(calls, [rule('hands', { max: 2 })]).texts.slice(1)).toEqual([
      'ok: You take the egg_7 from the fridge_1.',
      'hands_full: Error: your hands are full',
    ]);
  });

  test('things are heated up and cooled down to what the place can do, never the other way', () => {
    const { texts, state } = play([
      call('heat', 'plate_6'),
      call('cool', 'plate_6'),
      call('cool', 'plate_6'),
      call('go_to', 'stove_3'),
      call('heat', 'plate_6'),
      call('clean', 'plate_6'),
    ]);
    expect(texts).toEqual([
      'no_use: Error: the fridge_1 cannot heat',
      'ok: You cool the plate_6 at the fridge_1.\nIt is at 4 degrees.',
      'conflict: Error: the plate_6 is at 4 degrees already',
      'ok: You go to the stove_3.\nOn it you see nothing.',
      'ok: You heat the plate_6 at the stove_3.\nIt is at 80 degrees.',
      'no_use: Error: the stove_3 has no water',
    ]);
    expect(object(state, 'plate_6')).toMatchObject({ at: 'hand', temp: 80 });
  });

  test('rules speak of one place, one kind or one room', () => {
    const rules = [
      rule('too_hot', { place: 'fridge_1', max: 20 }),
      rule('only_kind', { kind: 'food', done: 'cooled' }),
      rule('shut', { place: 'fridge_1' }),
      rule('keep_room', { kind: 'crockery', room: 'kitchen' }),
    ];
    const calls = [
      call('open', 'fridge_1'),
      call('put', 'plate_6'),
      call('cool', 'plate_6'),
      call('go_to', 'stove_3'),
      call('close', 'fridge_1'),
      call('go_to', 'drawer_5'),
      call('go_to', 'stove_3'),
    ];
    expect(play(calls, rules).texts.map((text) => text.slice(0, text.indexOf(':')))).toEqual([
      'ok',
      'too_hot',
      'wrong_kind',
      'left_open',
      'ok',
      'not_allowed',
      'ok',
    ]);
  });
});

test('terse keeps what was done, verbose adds what there is now', () => {
  const calls = [call('go_to', 'drawer_5'), call('put', 'plate_6')];
  expect(play(calls, [], STATE, { kind: 'terse' }).texts).toEqual([
    'ok: You go to the drawer_5.',
    'ok: You put the plate_6 in the drawer_5.',
  ]);
  expect(play(calls, [], STATE, { kind: 'verbose' }).texts).toEqual([
    'ok: You go to the drawer_5.\nIn it you see nothing.\nIt is in the den.',
    'ok: You put the plate_6 in the drawer_5.\nIn it you see a plate_6.',
  ]);
});

test('a plan frees the hand, closes doors, brings light, cleans and cools where the rules want it', () => {
  const rules = [
    rule('shut', { place: 'fridge_1' }),
    rule('dark', { place: 'sinktop_2', lamp: 'lampstand_4' }),
    rule('clean_only', { place: 'drawer_5' }),
    rule('too_hot', { place: 'drawer_5', max: 30 }),
  ];
  const world: Seeded = { title: '', state: STATE, rules };
  const planner = new Planner(world);
  planner.take('mug_1');
  planner.put('mug_1', 'drawer_5');
  const { texts, state } = play(planner.calls, rules);
  expect(texts.every((text) => text.startsWith('ok'))).toBe(true);
  expect(object(state, 'mug_1')).toEqual({ kind: 'crockery', at: 'drawer_5', clean: true, temp: 4 });
  expect(object(state, 'plate_6')).toMatchObject({ at: 'fridge_1' });
  expect(planner.calls.map((action) => ('tool' in action ? action.tool : '')).join(' ')).toBe(
    'open put close go_to use go_to take clean go_to cool go_to put',
  );
});
