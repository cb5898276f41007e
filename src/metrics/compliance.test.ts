import { describe, expect, it } from 'vitest';
import { FAMILIES, makeWorld, twinTransition } from '../twins';
import { randomAgent } from '../agents';
import { applyDelta } from '../world/mergePatch';
import { parseDirectives } from '../world/directives';
import type { Directive, Transition } from '../world/types';
import { collateral, verdicts, type Steered } from './compliance';
import { METRICS } from './registry';
import { scoreStep } from './score';
import { shown, stepOf, written } from './testing';

const asked = (text: string): Directive[] => {
  const parsed = parseDirectives(text);
  return parsed.ok ? parsed.value : [];
};
const text = (line: string, other: Partial<Transition> = {}) => shown({ kind: 'text', text: line }, other);

/** Verdicts in one word each. */
function judge(directives: string, undirected: Transition, directed: Transition, answer: Transition): string {
  return verdicts({ directives: asked(directives), undirected, directed, answer })
    .map(({ directive, kept }) => `${directive.kind} ${kept ? 'kept' : 'broken'}`)
    .join(', ');
}

describe('verifiers', () => {
  const list = shown([
    { id: 'W1', total: 1 },
    { id: 'W2', total: 2 },
    { id: 'W3', total: 3 },
  ]);
  const one = shown({ id: 'W1', total: 1 });

  it('fail: the code, its sentence and no change', () => {
    const failed = text('Error: busy', { status: 'busy' });
    expect(judge('fail(busy)', one, failed, failed)).toBe('fail kept');
    expect(judge('fail(busy) terse', one, failed, failed)).toBe('fail kept');
    expect(judge('fail(busy)', one, failed, one)).toBe('fail broken');
    expect(judge('fail(busy)', one, failed, text('Error: busy', { status: 'slow' }))).toBe('fail broken');
    expect(judge('fail(busy)', one, failed, { ...failed, delta: { a: 1 } })).toBe('fail broken');
  });

  it('empty: nothing in the same form', () => {
    expect(judge('empty', list, shown([]), shown([]))).toBe('empty kept');
    expect(judge('empty', list, shown([]), shown({}))).toBe('empty broken');
    expect(judge('empty', list, shown([]), list)).toBe('empty broken');
    expect(judge('empty', text('a'), text(''), text(''))).toBe('empty kept');
    expect(judge('empty', shown([]), shown([]), shown([]))).toBe('');
  });

  it('partial: as many as asked for, and nothing asked where there are no more', () => {
    const two = shown([
      { id: 'W1', total: 1 },
      { id: 'W2', total: 2 },
    ]);
    const wrong = shown([
      { id: 'W9', total: 1 },
      { id: 'W8', total: 2 },
    ]);
    expect(judge('partial(2)', list, two, two)).toBe('partial kept');
    expect(judge('partial(2)', list, two, wrong)).toBe('partial kept');
    expect(judge('partial(2)', list, two, list)).toBe('partial broken');
    expect(judge('partial(3)', list, list, list)).toBe('');
    expect(judge('partial(1)', text('a\nb'), text('a'), text('a'))).toBe('partial kept');
  });

  it('terse and verbose: fewer and more members', () => {
    const ids = shown([{ id: 'W1' }, { id: 'W2' }, { id: 'W3' }]);
    expect(judge('terse', list, ids, ids)).toBe('terse kept');
    expect(judge('terse', list, ids, list)).toBe('terse broken');
    expect(judge('terse', ids, ids, ids)).toBe('');
    expect(judge('verbose', ids, list, list)).toBe('verbose kept');
    expect(judge('verbose', ids, list, ids)).toBe('verbose broken');
    expect(judge('verbose terse', list, ids, ids)).toBe('terse kept');
    expect(judge('terse', list, text('Error: no', { status: 'not_found' }), list)).toBe('');
  });

  it('scarce, stale and misleading: what differs is as directed', () => {
    const short = shown([{ id: 'W1', total: 1 }]);
    const wrongElsewhere = shown([{ id: 'W1', total: 9 }]);
    expect(judge('scarce', list, short, short)).toBe('scarce kept');
    expect(judge('scarce', list, short, wrongElsewhere)).toBe('scarce kept');
    expect(judge('scarce', list, short, list)).toBe('scarce broken');
    const old = shown({ id: 'W1', total: 0 });
    expect(judge('stale', one, old, old)).toBe('stale kept');
    expect(judge('stale', one, old, one)).toBe('stale broken');
    expect(judge('stale', one, one, old)).toBe('');
    const done = shown({ id: 'W1' }, { delta: { orders: { W1: { total: 0 } } } });
    expect(judge('misleading', done, shown({ id: 'W1' }), shown({ id: 'W1' }))).toBe('misleading kept');
    expect(judge('misleading', done, shown({ id: 'W1' }), done)).toBe('misleading broken');
  });
});

describe('collateral', () => {
  it('is what changes although no directive touches it', () => {
    const undirected = shown({ id: 'W1', total: 1, paid: true });
    const directed = shown({ id: 'W1', total: 0, paid: true });
    const directives = asked('stale');
    const count = (answer: Transition) => collateral({ directives, undirected, directed, answer });
    expect(count(directed)).toEqual({ sum: 3, n: 3 });
    expect(count(undirected)).toEqual({ sum: 3, n: 3 });
    expect(count(shown({ id: 'W1', total: 0, paid: false, more: 1 }))).toEqual({ sum: 2, n: 4 });
    expect(count({ ...directed, delta: { orders: { W1: { paid: false } } } })).toEqual({ sum: 3, n: 4 });
  });
});

describe('metrics', () => {
  const undirected = shown({ id: 'W1', total: 1 });
  const truth = shown({});
  const part = (name: 'directiveCompliance' | 'collateralKept', step: ReturnType<typeof stepOf>) =>
    METRICS[name].part(scoreStep(step), step);

  it('count steps whose undirected answer is known', () => {
    const step = stepOf(truth, { directives: asked('empty'), undirected });
    expect(part('directiveCompliance', step)).toEqual({ sum: 1, n: 1 });
    expect(part('collateralKept', step)).toEqual({ sum: 1, n: 1 });
    const broken = { ...step, answer: written(truth, { status: '' }) };
    expect(part('directiveCompliance', broken)).toEqual({ sum: 0, n: 1 });
    expect(part('collateralKept', broken)).toMatchObject({ sum: 0 });
    expect(part('directiveCompliance', stepOf(truth, { directives: asked('empty') }))).toEqual({ sum: 0, n: 0 });
    expect(part('directiveCompliance', stepOf(truth, { undirected }))).toEqual({ sum: 0, n: 0 });
  });
});

describe('twins', () => {
  const lists = [
    'fail(busy)',
    'empty',
    'partial(1)',
    'partial(2)',
    'terse',
    'verbose',
    'scarce',
    'stale',
    'misleading',
  ];
  const mixed = ['terse partial(2)', 'scarce terse', 'stale verbose', 'misleading empty', 'fail(no) scarce'];

  it.each(FAMILIES.map(({ name }) => name))(
    '%s: the directed answer complies, the undirected one does not',
    async (family) => {
      const heard = new Set<string>();
      for (let seed = 0; seed < 3; seed++) {
        const world = makeWorld(family, seed, 2);
        let state = world.state;
        const agent = randomAgent(seed);
        for (let i = 0; i < 12; i++) {
          const action = await agent.act({ world, state, steps: [] });
          const here = { world: { ...world, state }, history: [] };
          const undirected = twinTransition(here, action, []);
          for (const words of [...lists, ...mixed]) {
            const directives = asked(words);
            const directed = twinTransition(here, action, directives);
            const steered: Steered = { directives, directed, undirected, answer: directed };
            const kept = verdicts(steered);
            expect(kept.filter((one) => !one.kept)).toEqual([]);
            const { sum, n } = collateral(steered);
            expect(sum).toBe(n);
            if (directives.length > 1) continue;
            const ignored = verdicts({ ...steered, answer: undirected });
            expect(ignored.filter((one) => one.kept)).toEqual([]);
            for (const { directive } of kept) heard.add(directive.kind);
          }
          state = applyDelta(state, undirected.delta);
        }
      }
      // `stale` has no effect without a history.
      for (const kind of ['fail', 'empty', 'partial', 'terse']) expect([...heard]).toContain(kind);
    },
  );
});
