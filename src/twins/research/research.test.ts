import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../world/json';
import type { Rule } from '../../world/types';
import { stepProgram } from '../kit/step';
import { research } from '.';
import { canCite } from './rules';

const STATE = {
  docs: {
    a1: { title: 'old memo', topic: 'mira', year: 1980, text: 'mira bridge is 40 m long', see: 'a3' },
    a2: { title: 'mira blog', topic: 'tolu', year: 1990, text: 'tolu was born in riga' },
    a3: { title: 'river atlas', topic: 'mira', year: 1986, text: 'mira bridge is 52 m long', see: 'zz' },
  },
  notes: { n7: { doc: 'a1', text: 'x' } },
  next: 'n8',
  cites: { a2: 1 },
  report: { answer: '' },
};

const program = research.program(undefined);

function step(tool: string, args: JsonObject, rules: [string, Rule['params']][] = []) {
  const standing = rules.map(([id, params]) => ({ id, params, text: '', enabled: true }));
  const { observation, delta, status } = stepProgram(program, STATE, standing, { tool, args }, []);
  return { shown: observation.kind === 'json' ? observation.value : observation.text, delta, status };
}

describe('research', () => {
  test('search looks at titles and topics, in the order of the records, and stops where the rule says', () => {
    const all = [
      { id: 'a1', year: 1980 },
      { id: 'a2', year: 1990 },
      { id: 'a3', year: 1986 },
    ];
    expect(step('search', { word: 'mira' }).shown).toEqual(all);
    expect(step('search', { word: 'mira' }, [['hits', { max: 2 }]]).shown).toEqual(all.slice(0, 2));
    expect(step('search', { word: 'bridge' }).shown).toEqual([]);
  });

  test('links: followed, missing, and leading nowhere', () => {
    const text = 'mira bridge is 52 m long';
    expect(step('follow', { id: 'a1' }).shown).toEqual({ id: 'a3', topic: 'mira', text });
    expect(step('follow', { id: 'a2' }).status).toBe('no_link');
    expect(step('follow', { id: 'a3' }).shown).toBe('Error: zz not found');
  });

  test('citations are numbered, once each', () => {
    expect(step('cite', { doc: 'a1' }).delta).toEqual({ cites: { a1: 2 } });
    expect(step('cite', { doc: 'a2' }).status).toBe('conflict');
  });

  test('the newest on the same topic counts, not the newest of all', () => {
    expect(step('cite', { doc: 'a1' }, [['newer', { years: 5 }]]).status).toBe('outdated');
    expect(step('cite', { doc: 'a1' }, [['newer', { years: 6 }]]).status).toBe('ok');
    expect(step('cite', { doc: 'a3' }, [['newer', { years: 1 }]]).status).toBe('ok');
  });

  test('year and title', () => {
    expect(step('cite', { doc: 'a1' }, [['since', { year: 1981 }]]).status).toBe('too_old');
    expect(step('cite', { doc: 'a1' }, [['since', { year: 1980 }]]).status).toBe('ok');
    expect(step('cite', { doc: 'a1' }, [['sort', { word: 'memo' }]]).status).toBe('not_allowed');
  });

  test('what the tasks hold for citable is what cite allows', () => {
    for (const [id, params] of [
      ['newer', { years: 5 }],
      ['since', { year: 1986 }],
      ['sort', { word: 'atlas' }],
    ] as [string, Rule['params']][]) {
      for (const doc of ['a1', 'a3']) {
        const world = { title: '', state: STATE, rules: [{ id, params }] };
        expect(canCite(world, doc)).toBe(step('cite', { doc }, [[id, params]]).status === 'ok');
      }
    }
  });

  test('notes take the next id; answers and notes keep their limits', () => {
    expect(step('note', { doc: 'a3', text: 'y' }).delta).toEqual({
      notes: { n8: { doc: 'a3', text: 'y' } },
      next: 'n9',
    });
    expect(step('note', { doc: 'a3', text: 'y' }, [['max_notes', { max: 1 }]]).status).toBe('full');
    expect(step('answer', { text: '52' }, [['cite_first', { min: 2 }]]).status).toBe('not_cited');
    expect(step('answer', { text: '52' }, [['cite_first', { min: 1 }]]).delta).toEqual({ report: { answer: '52' } });
  });
});
