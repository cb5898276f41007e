import { describe, expect, test } from 'vitest';
import { Rng } from '../../world/rng';
import { applyDelta } from '../../world/mergePatch';
import type { Action, Rule, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import { records } from '../kit/types';
import { code } from '.';
import { generate, swapWord } from './generate';
import { RULES } from './rules';
import { repair } from './tasks';
import { failing, isMet, readWant } from './verdict';

const STATE: State = {
  files: {
    'src/conf.py': { l1: 'limit = 5', l2: 'rate = 30' },
    'lib/area.js': { l1: 'import rate', l3: 'function area(w)', l4: 'return w + rate' },
  },
  tests: {
    t1: { file: 'src/conf.py', want: 'limit >= 8', result: 'failed' },
    t2: { file: 'lib/area.js', want: 'area defined', result: 'new' },
    t3: { file: 'lib/area.js', want: 'return w * rate', result: 'ok' },
  },
  commits: { c1: { message: 'init' } },
  next: 'c2',
};
const PROGRAM = code.program(undefined);
type Args = Extract<Action, { tool: string }>['args'];

function rule(id: string, params: Rule['params']): Rule {
  return { id, params, enabled: true, text: RULES.find((def) => def.id === id)?.text(params) ?? '' };
}

function call(tool: string, args: Args, rules: Rule[] = []) {
  const { observation, delta, status } = stepProgram(PROGRAM, STATE, rules, { tool, args }, []);
  return { answer: observation.kind === 'text' ? observation.text : '', delta, status };
}

describe('what tests want', () => {
  const lines = ['let cap = 7', 'function area(w)', 'dump(w)', 'return w', 'let cap = 9'];
  test.each([
    ['cap >= 9', true],
    ['cap >= 10', false],
    ['cap <= 8', false],
    ['cap = 7', false],
    ['let cap = 7', true],
    ['return', false],
    ['area defined', true],
    ['cap defined', true],
    ['w defined', false],
    ['no dump', false],
    ['no print', true],
    ['gone <= 9', false],
  ])('%s is %s', (want, met) => {
    expect(isMet(readWant(want), lines)).toBe(met);
  });
});

describe('code', () => {
  test('looks', () => {
    expect(call('read', { path: 'lib/area.js' }).answer).toBe('1 import rate\n3 function area(w)\n4 return w + rate');
    expect(call('search', { text: 'rate' }).answer).toBe('src/conf.py:2\nlib/area.js:1\nlib/area.js:4');
    expect(call('search', { text: 'rate' }, [rule('hits', { max: 1 })]).answer).toBe('src/conf.py:2');
    expect(call('search', { text: 'zz' }).answer).toBe('no hits');
  });

  test('running tests records what changed and says what fails', () => {
    expect(call('test', {})).toEqual({
      answer: '1 ok, 2 failed\nt1 failed: src/conf.py wants limit >= 8\nt3 failed: lib/area.js wants return w * rate',
      delta: { tests: { t2: { result: 'ok' }, t3: { result: 'failed' } } },
      status: 'ok',
    });
    expect(call('test', { id: 't2' }).answer).toBe('1 ok, 0 failed');
  });

  test('changes are single lines', () => {
    const path = 'lib/area.js';
    expect(call('edit', { path, line: 3, text: 'x' }).delta).toEqual({ files: { [path]: { l3: 'x' } } });
    expect(call('edit', { path, line: 2, text: 'x' }).answer).toBe('Error: lib/area.js:2 not found');
    expect(call('append', { path, text: 'x' }).delta).toEqual({ files: { [path]: { l5: 'x' } } });
    expect(call('delete', { path, line: 1 }).delta).toEqual({ files: { [path]: { l1: null } } });
    expect(call('replace', { path, old: '+', new: '$&' }).delta).toEqual({
      files: { [path]: { l4: 'return w $& rate' } },
    });
    expect(call('replace', { path, old: 'rate', new: 'fee' })).toMatchObject({
      answer: 'Error: 2 lines match',
      status: 'ambiguous',
    });
    expect(call('commit', { message: 'fix' }).delta).toEqual({ commits: { c2: { message: 'fix' } }, next: 'c3' });
  });

  test.each<[string, Rule['params'], string, Args, string]>([
    ['read_only', { folder: 'src' }, 'append', { path: 'src/conf.py', text: 'x' }, 'read_only'],
    ['read_only', { folder: 'sr' }, 'append', { path: 'src/conf.py', text: 'x' }, 'ok'],
    ['banned', { word: 'dump' }, 'replace', { path: 'src/conf.py', old: 'rate', new: 'dump' }, 'not_allowed'],
    ['keep', { word: 'import' }, 'delete', { path: 'lib/area.js', line: 1 }, 'not_allowed'],
    ['max_lines', { max: 3 }, 'append', { path: 'lib/area.js', text: 'x' }, 'full'],
    ['max_lines', { max: 3 }, 'append', { path: 'src/conf.py', text: 'x' }, 'ok'],
    ['tested', { test: 't2' }, 'commit', { message: 'fix' }, 'not_tested'],
    ['tested', { test: 't3' }, 'commit', { message: 'fix' }, 'ok'],
    ['message', { verb: 'fix' }, 'commit', { message: 'add' }, 'bad_message'],
  ])('rule %s %j: %s%j %s', (id, params, tool, args, status) => {
    expect(call(tool, args, [rule(id, params)]).status).toBe(status);
    expect(call(tool, args).status).toBe('ok');
  });

  test('whole words are renamed', () => {
    expect(swapWord('return rate * rates', 'rate', 'fee')).toBe('return fee * rates');
  });

  test('the generator breaks a repository, and every failing test can be repaired by its own line', () => {
    for (let seed = 0; seed < 200; seed++) {
      let { state } = generate(Rng.of('code.test', seed), 1 + (seed % 3));
      const first = failing(state);
      expect(first.length).toBeGreaterThan(0);
      expect(first.length).toBeLessThanOrEqual(Object.keys(records(state, 'tests')).length);
      for (let i = 0; i < 3 && failing(state).length > 0; i++) {
        const change = repair(state, failing(state)[0] ?? '');
        if (change) state = applyDelta(state, { files: { [change.path]: { [change.key]: change.text } } });
      }
      expect(failing(state), JSON.stringify(state)).toEqual([]);
    }
  });
});
