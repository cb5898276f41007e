import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { readTrace, stepsOf, writeTrace } from '../rollouts';
import { parseRolloutArgs } from './rolloutOptions';

const folder = mkdtempSync(join(tmpdir(), 'rollout-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command as `npm run rollout` does. */
async function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'src/cli/rollout.ts', ...args]);
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

describe('the arguments', () => {
  it('have the defaults that the usage names; the twin is always there', () => {
    expect(parseRolloutArgs(['--world', 'terminal', '--simulator', 'ar', '--seed', '4', '--out', 'x'])).toMatchObject({
      family: 'terminal',
      simulators: ['twin', 'ar'],
      lane: 'twin',
      agent: 'expert',
      seed: 4,
      worldSeed: 4,
      steps: 10,
      directives: Array.from({ length: 10 }, () => []),
      temperature: 0,
      threshold: 0.9,
      topP: 1,
    });
    expect(parseRolloutArgs(['--help'])).toBeNull();
  });

  it.each([
    [['--world', 'support'], '--out FILE is missing'],
    [['--world', 'mars', '--out', 'x'], '--world "mars" is none of support'],
    [['--agent', 'human', '--out', 'x'], '--agent "human" is none of expert'],
    [['--lane', 'ar', '--out', 'x'], '--lane "ar" is none of twin'],
    [['--steps', '0', '--out', 'x'], '--steps 0 is not a number of steps'],
    [['--seed', '', '--out', 'x'], '--seed  is not a whole number'],
    [['--directives', 'lie', '--out', 'x'], '"lie" is not a directive'],
    [
      ['--faults', 'lies:2:1', '--out', 'x'],
      '--faults: "lies:2:1" is not PRESET:COUNT:DURATION, for example mixed:2:1',
    ],
    [['--faults', 'mixed:2', '--out', 'x'], '"mixed:2" is not PRESET:COUNT:DURATION'],
    [['--faults', 'mixed:2:0', '--out', 'x'], '"mixed:2:0" is not PRESET:COUNT:DURATION'],
    [['--faults', 'mixed:3:4', '--out', 'x'], '--faults mixed:3:4: 3 faults of 4 steps do not fit into 10 steps'],
    [['--speed', '1'], "Unknown option '--speed'"],
  ])('%j are refused with the usage', (args, message) => {
    expect(() => parseRolloutArgs(args)).toThrow(message);
    expect(() => parseRolloutArgs(args)).toThrow('Use: npm run -s rollout');
  });
});

describe('faults', () => {
  const parse = (...args: string[]) => parseRolloutArgs(['--out', 'x', '--steps', '12', ...args])?.directives ?? [];

  it('are drawn from the seed, count and last as asked, beside the directives of every step', () => {
    const steps = parse('--faults', 'explicit:3:2', '--directives', 'terse', '--seed', '5');
    expect(steps).toHaveLength(12);
    expect(steps.every((directives) => directives.at(-1)?.kind === 'terse')).toBe(true);
    expect(steps.filter((directives) => directives[0]?.kind === 'fail')).toHaveLength(6);
    expect(parse('--faults', 'explicit:3:2', '--directives', 'terse', '--seed', '5')).toEqual(steps);
    expect(parse('--faults', 'explicit:3:2', '--directives', 'terse', '--seed', '6')).not.toEqual(steps);
  });

  it('keep to a directive of their kind that was asked for', () => {
    const steps = parse('--faults', 'explicit:3:2', '--directives', 'fail(mine)');
    expect(steps).toEqual(Array.from({ length: 12 }, () => [{ kind: 'fail', code: 'mine' }]));
  });
});

describe('the command', () => {
  it('drives an agent to the goal and writes a trace that reads back byte for byte', async () => {
    const out = join(folder, 'run.wmtrace.jsonl');
    const args = ['--world', 'terminal', '--agent', 'noisy', '--seed', '3', '--steps', '30', '--directives', 'terse'];
    const { code, stdout, stderr } = await command(...args, '--out', out);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('twin done');
    const text = readFileSync(out, 'utf8');
    const { runs, warnings } = await readTrace(text);
    expect(warnings).toEqual([]);
    expect(await writeTrace(runs)).toBe(text);
    const steps = runs.flatMap(stepsOf);
    expect(steps.at(-1)?.results['twin']?.done).toBe(true);
    expect(steps.every(({ seed, directives }) => seed === 3 && directives[0]?.kind === 'terse')).toBe(true);
  });

  it('makes each step with the faults that its plan has there', async () => {
    const args = [
      '--world',
      'support',
      '--agent',
      'random',
      '--steps',
      '12',
      '--faults',
      'explicit:3:1',
      '--seed',
      '4',
    ];
    const { code, stdout, stderr } = await command(...args, '--out', '-');
    expect(code).toBe(0);
    const steps = (await readTrace(stdout)).runs.flatMap(stepsOf);
    const wanted = parseRolloutArgs([...args, '--out', '-'])?.directives.slice(0, steps.length);
    expect(steps.map(({ directives }) => directives)).toEqual(wanted);
    const failed = steps.filter(({ directives }) => directives.length > 0);
    expect(failed.length).toBeGreaterThan(0);
    for (const { directives, results } of failed) {
      expect(directives).toEqual([{ kind: 'fail', code: results['twin']?.prediction?.transition.status }]);
    }
    expect(stderr).toContain('[fail(');
  });

  it('writes to standard output when asked, and nothing else there', async () => {
    const { code, stdout } = await command('--world', 'support', '--agent', 'random', '--steps', '2', '--out', '-');
    expect(code).toBe(0);
    expect((await readTrace(stdout)).runs.flatMap(stepsOf)).toHaveLength(2);
  });

  it('says what to do when there is no such model, and when the folder of the file is missing', async () => {
    const out = ['--out', join(folder, 'none', 'x')];
    const noModel = await command('--simulator', 'ar', '--models', folder, ...out);
    expect([noModel.code, noModel.stdout]).toEqual([1, '']);
    expect(noModel.stderr).toContain('--models DIR');
    const noFolder = await command(...out);
    expect(noFolder.code).toBe(1);
    expect(noFolder.stderr).toContain('Name one in a folder that exists');
  });
});
