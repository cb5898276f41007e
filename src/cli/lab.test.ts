import { execFile, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { readTrace, Rollout, stepsOf, writeRun } from '../rollouts';
import { readResult } from '../rollouts/lab';
import { makeWorld, TwinSimulator } from '../twins';
import { parseLabArgs } from './labOptions';
import { readSpecFile } from './labSpec';

const FIXTURE = 'test/fixtures/lab-quick.json';
const folder = mkdtempSync(join(tmpdir(), 'lab-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (...names: string[]) => join(folder, ...names);
const read = (...names: string[]) => readFileSync(at(...names), 'utf8');
const lines = (text: string) => text.trimEnd().split('\n').length;
const COMMAND = ['--import', 'tsx', 'src/cli/lab.ts'];

/** Runs the command as `npm run lab` does. */
async function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [...COMMAND, ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

/** Starts the command and sends it a signal as soon as it has done some jobs; gives its exit code. */
async function interrupted(name: NodeJS.Signals, jobs: number, out: string, spec: string): Promise<number | null> {
  const child = spawn(process.execPath, [...COMMAND, '--spec', spec, '--out', out], { stdio: 'ignore' });
  const timer = setInterval(() => {
    const file = join(out, 'jobs.jsonl');
    if (!existsSync(file) || readFileSync(file, 'utf8').split('\n').length <= jobs) return;
    // Once: a second SIGINT ends the command on the spot.
    clearInterval(timer);
    child.kill(name);
  }, 2);
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  clearInterval(timer);
  return code;
}

/**
 * Where two results differ. Confidences may in their last digits: what is encoded behind a warm cache in one run is encoded
 * in one pass after a restart, and sums in another order.
 */
function differences(a: unknown, b: unknown, path = ''): string[] {
  if (typeof a === 'number' && typeof b === 'number') {
    const same = Number.isInteger(a) || Number.isInteger(b) ? a === b : Math.abs(a - b) <= 1e-6;
    return same ? [] : [`${path}: ${a} and ${b}`];
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return a === b ? [] : [`${path}: ${String(a)} and ${String(b)}`];
  }
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => differences(left[key], right[key], `${path}/${key}`));
}

describe('the arguments', () => {
  it('name a spec and a folder', () => {
    expect(parseLabArgs(['--spec', 'a.json', '--out', 'b'])).toEqual({
      spec: 'a.json',
      out: 'b',
      models: null,
      fresh: false,
    });
    expect(parseLabArgs(['--help'])).toBeNull();
  });

  it.each([
    [['--out', 'b'], '--spec FILE is missing'],
    [['--spec', 'a'], '--out DIR is missing'],
    [['--speed', '1'], "Unknown option '--speed'"],
  ])('%j are refused with the usage', (args, message) => {
    expect(() => parseLabArgs(args)).toThrow(message);
    expect(() => parseLabArgs(args)).toThrow('Use: npm run -s lab');
  });
});

describe('the quick batch', () => {
  it('runs the twin and the micro pair and writes results, steps and a report', async () => {
    const { code, stdout, stderr } = await command('--spec', FIXTURE, '--out', at('quick'));
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('36 of 36 rollouts') });
    expect(stdout).toMatch(/^simulator +family +rollouts/);
    const results = JSON.parse(read('quick', 'results.json')) as {
      jobs: object;
      simulators: { [id: string]: { all: { n: number; metrics: { [m: string]: { mean: number } } } } };
      models: { [id: string]: { version: string } | null };
    };
    expect(results.jobs).toEqual({ total: 36, done: 36 });
    expect(results.simulators['twin']?.all.metrics['answerExact']?.mean).toBe(1);
    expect(results.simulators['ar']?.all.n).toBe(12);
    expect(results.models).toMatchObject({ twin: null, ar: { version: 'micro' }, mdlm: { version: 'micro' } });
    expect(read('quick', 'results.json')).not.toMatch(/"ms"|"prefillMs"/);
    expect(read('quick', 'timings.json')).toContain('"ms"');
    expect(read('quick', 'report.html')).toContain('<h1>Quick: the twin and the micro pair</h1>');
    // What is handed on opens, and its rows give its tables.
    expect(read('quick', 'results.wmresult.json')).not.toContain('stepsEnd');
    const opened = readResult(read('quick', 'results.wmresult.json'));
    expect(opened).toMatchObject({ differences: [], warnings: [] });
  }, 240_000);

  it('has its steps in wmtrace: a run a job, with footers that fit', async () => {
    const { runs, warnings } = await readTrace(read('quick', 'steps.jsonl'));
    expect(warnings).toEqual([]);
    expect(runs).toHaveLength(36);
    const steps = runs.flatMap(stepsOf);
    expect(steps.every((step) => 'lab' in step)).toBe(true);
    expect(runs.find(({ header }) => header.id.endsWith('/ar'))?.header.models[0]).toMatchObject({ version: 'micro' });
  });

  it('gives the same numbers again, also when it was interrupted and killed on the way', async () => {
    expect(await interrupted('SIGINT', 9, at('again'), FIXTURE)).toBe(130);
    expect(read('again', 'report.html')).toContain('The batch is not finished');
    await interrupted('SIGKILL', lines(read('again', 'jobs.jsonl')) + 4, at('again'), FIXTURE);
    const kept = lines(read('again', 'jobs.jsonl'));
    expect(kept).toBeLessThan(36);
    const { code, stderr } = await command('--spec', FIXTURE, '--out', at('again'));
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/\d+ of 36 rollouts are done already/),
    });
    expect(differences(JSON.parse(read('again', 'results.json')), JSON.parse(read('quick', 'results.json')))).toEqual(
      [],
    );
    expect((await readTrace(read('again', 'steps.jsonl'))).warnings).toEqual([]);
  }, 240_000);
});

describe('a folder', () => {
  const spec = (members: object) => {
    const file = at('spec.json');
    const worlds = { families: ['support'], seeds: { from: 1, count: 3 } };
    writeFileSync(file, JSON.stringify({ worlds, simulators: ['twin'], agents: ['random'], steps: 3, ...members }));
    return file;
  };

  it('that was cut off in the middle of a line goes on from the last whole job', async () => {
    const file = spec({});
    await command('--spec', file, '--out', at('cut'));
    const [results, steps] = [read('cut', 'results.json'), read('cut', 'steps.jsonl')];
    const jobs = read('cut', 'jobs.jsonl').split('\n');
    truncateSync(at('cut', 'jobs.jsonl'), (jobs[0]?.length ?? 0) + 1 + 40);
    appendFileSync(at('cut', 'steps.jsonl'), '{"type":"header","half');
    const { stderr } = await command('--spec', file, '--out', at('cut'));
    expect(stderr).toContain('1 of 3 rollouts are done already');
    expect(read('cut', 'results.json')).toBe(results);
    // The twin takes no time, so only the dates of the runs differ (and with them the hashes).
    const plain = (text: string) => text.replace(/"createdAt":"[^"]*"|"sha256":"[^"]*"/g, '');
    expect(plain(read('cut', 'steps.jsonl'))).toBe(plain(steps));
  }, 120_000);

  it('of another spec is left alone unless told to start afresh', async () => {
    const before = read('cut', 'results.json');
    const file = spec({ steps: 2 });
    const refused = await command('--spec', file, '--out', at('cut'));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('holds the results of another spec');
    expect(refused.stderr).toContain('--fresh');
    expect(read('cut', 'results.json')).toBe(before);
    expect((await command('--spec', file, '--out', at('cut'), '--fresh')).code).toBe(0);
    expect(read('cut', 'results.json')).not.toBe(before);
  }, 120_000);

  it('is not made for a spec that is wrong, nor for models that are not there', async () => {
    const wrong = await command('--spec', spec({ steps: 0, agents: ['me'] }), '--out', at('never'));
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('/steps is 0: it has to be a whole number from 1 to 1000');
    expect(wrong.stderr).toContain('/agents/0 is "me"');
    const missing = await command('--spec', spec({ simulators: ['ar'], models: 'nowhere' }), '--out', at('never'));
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('ar does not run (not_found)');
    expect(existsSync(at('never'))).toBe(false);
  }, 120_000);

  it('can replay a recording that its spec names', async () => {
    const actions = [{ raw: 'no call' }, { tool: 'get_order', args: { id: 'W1' } }];
    const world = makeWorld('support', 1);
    const rollout = Rollout.start(world, [{ id: 'twin', simulator: new TwinSimulator() }]);
    for (const action of actions) await rollout.step(action);
    writeFileSync(at('run.jsonl'), await writeRun({ header: rollout.header, records: rollout.steps }));
    const file = spec({ agents: [{ kind: 'replay', file: 'run.jsonl' }] });
    expect((await readSpecFile(file)).agents).toEqual([{ id: 'replay', kind: 'replay', actions }]);
    await expect(readSpecFile(spec({ agents: [{ kind: 'replay', file: 'no' }] }))).rejects.toThrow('cannot be read');
    await expect(readSpecFile(at('nowhere.json'))).rejects.toThrow('--spec');
    writeFileSync(at('bad.json'), '{');
    await expect(readSpecFile(at('bad.json'))).rejects.toThrow('it is not JSON');
  });
});
