/** What is special in the puzzles: shortest plans on maps small enough to do by hand, wind by draws, clashes, panels. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import type { Action, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import type { Program, Seeded } from '../kit/types';
import { grid } from '.';
import { DIRS } from './board';
import { has, shortest, standingRules } from './kind';
import { clashes, options, peers, solve, UNITS, type Digits } from './sudokuGrid';

const programOf = (spec: JsonObject): Program => grid.program(spec);

function worldOf(spec: JsonObject, state: State, rules: Seeded['rules']): Seeded {
  return { title: '', spec, state, rules };
}

/** The state after calls, and the last answer. */
function play(world: Seeded, ...calls: Action[]) {
  const program = programOf(world.spec ?? {});
  const rules = standingRules(program, world);
  let state = world.state;
  let last = { text: '', status: '' };
  for (const call of calls) {
    const { observation, delta, status } = stepProgram(program, state, rules, call, []);
    state = applyDelta(state, delta);
    last = { text: observation.kind === 'text' ? observation.text : JSON.stringify(observation.value), status };
  }
  return { state, ...last };
}

const move = (dir: string): Action => ({ tool: 'move', args: { who: 'ana', dir } });
const go = (dir: string): Action => ({ tool: 'go', args: { dir } });

function lakeOf(rules: Seeded['rules'], draws: JsonObject = {}): Seeded {
  const map = { r1: '..#', r2: '.OG', r3: '...' };
  const walkers = { ana: { row: 1, col: 1, state: 'fine', steps: 0 } };
  return worldOf({ kind: 'lake', wind: true }, { map, walkers, things: {}, ...draws }, rules);
}

const WALL = { id: 'wall', params: { sign: '#' } };
const ENDS = { id: 'hole_end', params: { sign: 'O' } };
const WIND = { id: 'wind', params: { max: 2, dir: 'right' } };

function toGoal(world: Seeded, depth = 9) {
  const plan = shortest(programOf(world.spec ?? {}), world, {
    actions: [...DIRS.map(move), { tool: 'wait', args: {} }],
    done: (state) => has(state, ['walkers', 'ana'], { row: 2, col: 3 }),
    depth,
    counter: ['walkers', 'ana', 'steps'],
  });
  return plan?.map((call) => ('tool' in call ? String(call.args.dir ?? call.tool) : ''));
}

describe('walks', () => {
  test('the shortest way goes round the hole; with the hole off, through it', () => {
    expect(toGoal(lakeOf([WALL, ENDS]))).toEqual(['down', 'down', 'right', 'right', 'up']);
    expect(toGoal(lakeOf([WALL]))).toHaveLength(3);
    expect(toGoal(lakeOf([WALL, ENDS]), 4)).toBeUndefined();
  });

  test('a limit on steps is part of the search', () => {
    expect(toGoal(lakeOf([WALL, ENDS, { id: 'steps', params: { max: 5 } }]))).toHaveLength(5);
    expect(toGoal(lakeOf([WALL, ENDS, { id: 'steps', params: { max: 4 } }]))).toBeUndefined();
  });

  test('a low draw blows a move off, a high one does not, and each takes a draw', () => {
    const world = lakeOf([WALL, ENDS, WIND], { draws: { d1: 2, d2: 3, d3: 1 }, draw: 'd1' });
    const first = play(world, move('down'));
    expect(first.text).toBe('wind: ana r1 c2');
    expect(first.state).toMatchObject({ draw: 'd2', walkers: { ana: { row: 1, col: 2, steps: 1 } } });
    expect(play(world, move('down'), move('left'), move('down')).state).toMatchObject({ draw: 'd1' });
    // The second draw lets the walker go down into the hole; the third blows against the wall.
    expect(play(world, move('down'), move('down')).text).toBe('ana r2 c2 lost');
    expect(play(world, move('down'), move('down'), move('up'))).toMatchObject({ status: 'lost' });
    const wall = lakeOf([WALL, ENDS, WIND], { draws: { d1: 1, d2: 1 }, draw: 'd1' });
    expect(play(wall, move('down'), move('down')).text).toBe('wind: ana r1 c2');
  });

  test('the search foresees the wind and waits where that is shorter', () => {
    const world = lakeOf([WALL, ENDS, WIND], { draws: { d1: 1, d2: 5, d3: 6, d4: 6, d5: 5, d6: 5 }, draw: 'd1' });
    // The first move is blown to r1 c2; back costs two more, waiting one.
    expect(toGoal(world)).toEqual(['wait', 'down', 'down', 'right', 'right', 'up']);
  });

  test('a refused move takes no draw', () => {
    const world = lakeOf([WALL, WIND], { draws: { d1: 6, d2: 6 }, draw: 'd1' });
    expect(play(world, move('up'))).toMatchObject({ status: 'blocked', state: { draw: 'd1' } });
    expect(play(world, move('right'), move('right'))).toMatchObject({
      status: 'blocked',
      text: 'Error: # blocks the way',
    });
  });
});

describe('boxes', () => {
  const room = { r1: '....', r2: '...x', r3: '....' };
  const state = { room, boxes: { B1: { row: 2, col: 2, kg: 5 } }, robot: { row: 1, col: 2, used: 0 } };
  const push = (rules: Seeded['rules']) =>
    shortest(programOf({ kind: 'sokoban' }), worldOf({ kind: 'sokoban' }, state, rules), {
      actions: DIRS.map(go),
      done: (now) => has(now, ['boxes', 'B1'], { row: 2, col: 4 }),
      depth: 10,
      counter: ['robot', 'used'],
    });

  test('the shortest plan walks round and pushes twice', () => {
    expect(push([])).toEqual([go('left'), go('down'), go('right'), go('right')]);
    // Pushes of two units each make six in all.
    const effort = { id: 'effort', params: { units: 2 } };
    expect(push([effort, { id: 'power', params: { max: 6 } }])).toHaveLength(4);
    expect(push([effort, { id: 'power', params: { max: 5 } }])).toBeNull();
    expect(push([{ id: 'never', params: { dir: 'right' } }])).toBeNull();
    expect(push([{ id: 'heavy', params: { max: 4 } }])).toBeNull();
  });

  test('boxes stop at edges, walls and each other, and nothing moves then', () => {
    const boxes = { B1: { row: 2, col: 2, kg: 5 }, B2: { row: 3, col: 2, kg: 5 } };
    const world = worldOf({ kind: 'sokoban' }, { ...state, boxes }, []);
    expect(play(world, go('down'))).toMatchObject({
      status: 'blocked',
      text: 'Error: B2 is behind B1',
      state: world.state,
    });
    const one = worldOf({ kind: 'sokoban' }, state, []);
    expect(play(one, go('down')).state).toMatchObject({ boxes: { B1: { row: 3, col: 2 } }, robot: { row: 2, col: 2 } });
    expect(play(one, go('down'), go('down'))).toMatchObject({ status: 'blocked' });
  });
});

describe('Sudoku', () => {
  const rows = 'kmpt';
  const full: Digits = {};
  ['1234', '3412', '2143', '4321'].forEach((line, r) => {
    [...line].forEach((digit, c) => (full[`${rows[r] ?? ''}${c + 1}`] = Number(digit)));
  });

  test('clashes agree with a comparison of all pairs of cells', () => {
    const place = (cell: string) => [rows.indexOf(cell[0] ?? ''), Number(cell[1]) - 1] as const;
    let some = 0;
    for (const cell of Object.keys(full))
      for (const digit of [1, 2, 3, 4])
        for (const unit of UNITS) {
          const { [cell]: _, p2: __, k3: ___, ...digits } = full;
          const pairs = Object.entries(digits).some(([other, value]) => {
            const [[r, c], [s, d]] = [place(cell), place(other)];
            const together =
              unit === 'row' ? r === s : unit === 'column' ? c === d : r < 2 === s < 2 && c < 2 === d < 2;
            return other !== cell && together && value === digit;
          });
          expect(clashes(digits, rows, cell, digit, unit)).toBe(pairs);
          if (pairs) some++;
        }
    expect(some).toBeGreaterThan(100);
    expect(peers(rows, 'm3', 'block').sort()).toEqual(['k3', 'k4', 'm4']);
  });

  test('the solver finds all solutions: 288 full grids with blocks, 576 without', () => {
    expect(solve({}, rows, UNITS, 1000)).toHaveLength(288);
    expect(solve({}, rows, UNITS.slice(0, 2), 1000)).toHaveLength(576);
    const { k1: _, t4: __, ...rest } = full;
    expect(solve(rest, rows, UNITS)).toEqual([full]);
    expect(options(rest, rows, 'k1', UNITS)).toEqual([1]);
  });

  test('a clash is refused or costs points, by rule', () => {
    const state = { given: { a1: 1, a2: 2, a3: 3 }, placed: {}, game: { score: 10 } };
    const place = (digit: number): Action => ({ tool: 'place', args: { row: 'a', col: 4, digit } });
    const units = 'row, column or block';
    const under = (...rules: Seeded['rules']) => worldOf({ kind: 'sudoku', rows: 'abcd', latin: false }, state, rules);
    const refusing = under({ id: 'clash', params: { units } });
    expect(play(refusing, place(3))).toMatchObject({ status: 'clash', state });
    expect(play(refusing, place(4)).state).toMatchObject({ placed: { a4: 4 }, game: { score: 10 } });
    // The row is full after this digit: seven points for that, minus three for the clash.
    const costing = under({ id: 'penalty', params: { points: 3, units } }, { id: 'bonus', params: { points: 7 } });
    expect(play(costing, place(3)).state).toMatchObject({ placed: { a4: 3 }, game: { score: 14 } });
    expect(play(costing, place(4)).state).toMatchObject({ game: { score: 17 } });
    expect(play(under(), place(3)).state).toMatchObject({ game: { score: 10 } });
  });
});

describe('panels', () => {
  test('a press toggles by distance, colour and link, each lamp once', () => {
    const lamp = (on: boolean, colour: string) => ({ on, colour });
    const lamps = { a: lamp(false, 'red'), b: lamp(true, 'blue'), c: lamp(false, 'red'), d: lamp(true, 'blue') };
    const lit = (...rules: Seeded['rules']) => {
      const world = worldOf({ kind: 'lamps' }, { lamps }, rules);
      return play(world, { tool: 'press', args: { lamp: 'b' } }, { tool: 'lit', args: {} }).text;
    };
    expect(lit()).toBe('["d"]');
    expect(lit({ id: 'reach', params: { n: 1 } })).toBe('["a","c","d"]');
    expect(lit({ id: 'reach', params: { n: 2 } })).toBe('[]');
    expect(lit({ id: 'same', params: { colour: 'blue' } })).toBe('[]');
    expect(lit({ id: 'same', params: { colour: 'red' } })).toBe('["d"]');
    expect(lit({ id: 'reach', params: { n: 2 } }, { id: 'link', params: { a: 'b', b: 'd' } })).toBe('[]');
  });

  test('keys count modulo, backwards and double', () => {
    const keys = { k1: { colour: 'red', adds: 4 }, k2: { colour: 'blue', adds: 3 } };
    const world = worldOf({ kind: 'dial' }, { keys, dial: { at: 1, last: 'none', open: false } }, [
      { id: 'modulo', params: { n: 7 } },
      { id: 'back', params: { colour: 'red' } },
      { id: 'double', params: { colour: 'red', times: 2 } },
      { id: 'code', params: { at: 3 } },
    ]);
    const press = (key: string): Action => ({ tool: 'press', args: { key } });
    const open = { tool: 'open', args: {} };
    // 1 - 4 = -3 is 4 modulo 7; right after the red key the blue one counts 6: 10 is 3.
    expect(play(world, press('k1')).text).toBe('{"key":"k1","at":4}');
    expect(play(world, press('k1'), press('k2')).text).toBe('{"key":"k2","at":3}');
    expect(play(world, press('k1'), press('k2'), open)).toMatchObject({
      status: 'ok',
      state: { dial: { open: true } },
    });
    expect(play(world, press('k2'), open)).toMatchObject({ status: 'wrong_code', text: 'Error: it opens only at 3' });
  });
});
