import { describe, expect, test } from 'vitest';
import { Rng } from '../../world/rng';
import type { JsonObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import type { Rule, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import { lab } from '.';
import { Plan } from './plan';
import { hasDoor, stateOf } from './rules';

const STATE: State = {
  rooms: { hall: { door: 'shed' }, shed: { door: 'attic' }, attic: { door: 'shed' } },
  instruments: {
    oven: { at: 'hall', heat: 15, to: 60 },
    icebox: { at: 'hall', cool: 9, to: 4 },
    probe: { at: 'hall', reads: 'temp' },
    scale: { at: 'attic', reads: 'mass' },
  },
  substances: { wax: { melts: 40, boils: 58 }, tar: { melts: 10, boils: 90 }, dye: { melts: 20, boils: 30 } },
  mixes: { m1: { a: 'tar', b: 'wax', gives: 'dye' } },
  vessels: {
    cup: { at: 'hall', of: 'wax', mass: 30, temp: 35 },
    jar: { at: 'hand', of: 'tar', mass: 12, temp: 10 },
    vial: { at: 'hall' },
    bowl: { at: 'attic' },
  },
  log: {},
  you: { at: 'hall' },
};

const program = lab.program(undefined);

function step(tool: string, args: JsonObject, rules: [string, Rule['params']][] = [], state = STATE) {
  const standing = rules.map(([id, params]) => ({ id, params, text: '', enabled: true }));
  const { observation, delta, status } = stepProgram(program, state, standing, { tool, args }, []);
  return { text: observation.kind === 'text' ? observation.text : '', delta, status };
}

describe('lab', () => {
  test('heat goes up by a step, no further than the limit, and says what becomes of the substance', () => {
    expect(step('heat', { id: 'cup' })).toEqual({
      text: 'You heat cup to 50 degrees.\nThe wax is liquid.',
      delta: { vessels: { cup: { temp: 50 } } },
      status: 'ok',
    });
    const warm = applyDelta(STATE, { vessels: { cup: { temp: 50 } } });
    expect(step('heat', { id: 'cup' }, [], warm).text).toBe('You heat cup to 60 degrees.\nThe wax is gaseous.');
    const hot = applyDelta(STATE, { vessels: { cup: { temp: 60 } } });
    expect(step('heat', { id: 'cup' }, [], hot)).toMatchObject({ text: 'Error: oven stops at 60', status: 'limit' });
    expect(step('cool', { id: 'jar' }).delta).toEqual({ vessels: { jar: { temp: 4 } } });
    expect(step('heat', { id: 'vial' }).status).toBe('empty');
    expect(step('heat', { id: 'bowl' }).status).toBe('not_here');
    expect(step('heat', { id: 'cup' }, [['delicate', { substance: 'wax', max: 49 }]]).status).toBe('unsafe');
    expect(step('heat', { id: 'cup' }, [['delicate', { substance: 'wax', max: 50 }]]).status).toBe('ok');
    expect(step('heat', { id: 'jar' }, [['room', { doing: 'heating', room: 'hall' }]]).status).toBe('not_allowed');
  });

  test('a substance melts and boils at its points, not above them', () => {
    const of = (temp: number) => stateOf(STATE, { of: 'wax', temp });
    expect([39, 40, 57, 58].map(of)).toEqual(['solid', 'liquid', 'liquid', 'gaseous']);
  });

  test('mixing in either order: masses add up, the temperature is the mean rounded down, and a rule warms it', () => {
    const empty = { of: null, mass: null, temp: null };
    const dye = { of: 'dye', mass: 42, temp: 22 };
    expect(step('mix', { from: 'jar', into: 'cup' })).toMatchObject({
      text: 'cup now holds 42 g of dye.\nIt is liquid, at 22 degrees.',
      delta: { vessels: { cup: dye, jar: empty } },
    });
    expect(step('mix', { from: 'cup', into: 'jar' }).delta).toEqual({ vessels: { cup: empty, jar: dye } });
    expect(step('mix', { from: 'jar', into: 'cup' }, [['reaction', { degrees: 8 }]]).text).toContain('gaseous, at 30');
    expect(step('mix', { from: 'jar', into: 'cup' }, [['full', { max: 41 }]]).status).toBe('too_full');
    expect(step('mix', { from: 'jar', into: 'cup' }, [['state', { state: 'solid' }]]).status).toBe('wrong_state');
    expect(step('mix', { from: 'cup', into: 'cup' }).status).toBe('same');
    expect(step('mix', { from: 'cup', into: 'vial' }).status).toBe('empty');
  });

  test('pouring: part of it, all of it, too much of it', () => {
    const part = { cup: { mass: 18 }, vial: { of: 'wax', mass: 12, temp: 35 } };
    expect(step('pour', { from: 'cup', into: 'vial', g: 12 }).delta).toEqual({ vessels: part });
    const all = { cup: { of: null, mass: null, temp: null }, vial: { of: 'wax', mass: 30, temp: 35 } };
    expect(step('pour', { from: 'cup', into: 'vial', g: 30 }).delta).toEqual({ vessels: all });
    expect(step('pour', { from: 'cup', into: 'vial', g: 31 }).status).toBe('too_little');
    expect(step('pour', { from: 'jar', into: 'cup', g: 1 }).status).toBe('not_empty');
  });

  test('measuring is logged, and a thermometer may read low', () => {
    expect(step('measure', { id: 'cup', with: 'probe' }).delta).toEqual({ log: { cup: { temp: 35 } } });
    expect(step('measure', { id: 'cup', with: 'probe' }, [['offset', { degrees: 3 }]]).text).toBe(
      'cup is at 32 degrees.',
    );
    expect(step('measure', { id: 'cup', with: 'oven' }).status).toBe('wrong_tool');
    expect(step('measure', { id: 'cup', with: 'scale' }).status).toBe('not_here');
  });

  test('doors work both ways and lead next door only; hands are limited', () => {
    expect(step('move', { room: 'attic' }).status).toBe('no_door');
    expect(step('move', { room: 'shed' }).text).toBe('You go to the shed.\nYou see nothing.');
    expect(step('move', { room: 'hall' }, [], applyDelta(STATE, { you: { at: 'shed' } })).status).toBe('ok');
    expect(step('take', { id: 'cup' }, [['carry', { max: 1 }]]).status).toBe('hands_full');
    expect(step('take', { id: 'cup' }, [['hot', { max: 34 }]]).status).toBe('too_hot');
  });

  test('a plan walks through the room between and brings a vessel only where it is not', () => {
    const calls = new Plan(STATE).leave('cup', 'attic').calls.map((one) => ('tool' in one ? one.tool : ''));
    expect(calls).toEqual(['take', 'move', 'move', 'put']);
    expect(new Plan(STATE).join('jar', 'cup').calls).toEqual([]);
  });

  test('every room of a new world can be reached and no vessel is fuller than allowed', () => {
    for (let seed = 0; seed < 60; seed++) {
      const { state, rules } = lab.generate(Rng.of('lab test', seed), 1 + (seed % 3));
      const rooms = Object.keys(state.rooms as JsonObject);
      for (let i = 1; i < rooms.length; i++) expect(hasDoor(state, rooms[i] ?? '', rooms[i - 1] ?? '')).toBe(true);
      const max = Number(rules.find(({ id }) => id === 'full')?.params.max ?? Infinity);
      for (const item of Object.values(state.vessels as JsonObject))
        expect(Number((item as JsonObject).mass ?? 0)).toBeLessThanOrEqual(max);
    }
  });
});
