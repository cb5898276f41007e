import { describe, expect, it } from 'vitest';
import { DEFAULT_STEP_OPTIONS, finishStep } from '../world/simulator';
import { copyNothing, copyNothingSimulator, mostFrequent, mostFrequentSimulator, type Example } from './baseline';
import { shop, shown } from './testing';

const [yes, no, error] = [
  shown({ a: 1 }),
  shown({ a: 2 }),
  shown({ kind: 'text', text: 'Error: no' }, { status: 'no' }),
];
const example = (tool: string, truth: Example['truth'], other: Partial<Example> = {}): Example => ({
  family: 'f',
  action: { tool, args: {} },
  directives: [],
  truth,
  ...other,
});

describe('mostFrequent', () => {
  const answer = mostFrequent([
    example('get', yes),
    example('get', no),
    example('get', no),
    example('put', yes),
    example('put', error, { directives: [{ kind: 'fail', code: 'no' }] }),
    example('put', yes),
  ]);
  const call = (tool: string) => ({ tool, args: { id: 'W7' } });

  it('takes the answer of the same tool, then of the same directives, then of all', () => {
    expect(answer('f', call('get'), []).transition).toEqual(no);
    expect(answer('f', call('put'), []).transition).toEqual(yes);
    expect(answer('f', call('get'), [{ kind: 'fail', code: 'no' }]).transition).toEqual(error);
    expect(answer('f', { raw: '?' }, []).transition).toEqual(yes);
    expect(answer('other', call('get'), [{ kind: 'terse' }]).transition).toEqual(yes);
  });

  it('copies nothing when it has seen nothing', () => {
    expect(mostFrequent([])('f', call('get'), [])).toEqual(copyNothing());
  });
});

describe('baselines as simulators', () => {
  const context = { world: shop(), history: [] };
  const options = { ...DEFAULT_STEP_OPTIONS, seed: 7 };
  it('answer like any other', async () => {
    const nothing = await finishStep(copyNothingSimulator().step(context, { raw: '' }, options));
    expect(nothing).toMatchObject({ kind: 'prediction', text: { delta: '{}', status: 'ok' }, tokens: [], seed: 7 });
    const simulator = mostFrequentSimulator([example('get', yes, { family: '' })]);
    expect(simulator.supports(shop())).toBe(true);
    const answer = await finishStep(simulator.step(context, { tool: 'get', args: {} }, options));
    expect(answer.text.observation).toBe('{"a":1}');
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(finishStep(simulator.step(context, { raw: '' }, options, stopped))).rejects.toThrow('stopped');
  });
});
