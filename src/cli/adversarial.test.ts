import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCENARIO_KINDS } from '../rollouts/adversarial';
import { parseAdversarialArgs } from './adversarialOptions';
import type { AdversarialReport } from './adversarialReport';

const root = resolve(import.meta.dirname, '../..');

describe('parseAdversarialArgs', () => {
  it('runs everything unless told', () => {
    expect(parseAdversarialArgs([])).toMatchObject({
      names: ['twin', 'ar', 'mdlm'],
      seeds: 20,
      models: 'models',
      json: false,
    });
    expect(parseAdversarialArgs([])?.kinds).toHaveLength(SCENARIO_KINDS.length);
    expect(parseAdversarialArgs(['--model', 'mdlm,twin', '--kinds', 'stale_read'])).toMatchObject({
      names: ['twin', 'mdlm'],
      kinds: ['stale_read'],
    });
    expect(parseAdversarialArgs(['-h'])).toBeNull();
  });

  it.each([
    [['--model', 'gpt'], /"gpt" is none of twin, ar, mdlm, all/],
    [['--kinds', 'stale_reads'], /"stale_reads" is none of contradicting_rules/],
    [['--families', 'zoo'], /"zoo"/],
    [['--seeds', '0'], /--seeds 0 is not/],
    [['--seeds', ''], /--seeds {2}is not/],
    [['--threshold', '2'], /--threshold 2/],
    [['--what'], /--what/],
  ])('refuses %j and shows the usage', (args, message) => {
    expect(() => parseAdversarialArgs(args)).toThrow(message);
    expect(() => parseAdversarialArgs(args)).toThrow(/--seeds N/);
  });
});

describe('the command', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'adversarial-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      const command = [join(root, 'node_modules/tsx/dist/cli.mjs'), 'src/cli/adversarial.ts', ...args];
      execFile(process.execPath, command, { cwd: root, maxBuffer: 1e8 }, (error, stdout, stderr) =>
        done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      );
    });

  it('prints one JSON object; a missing model is told and stops nobody else', async () => {
    const out = join(folder, 'all.jsonl');
    const args = ['--model', 'twin,ar', '--models', folder, '--seeds', '2', '--kinds', 'stale_read,injection'];
    const { code, stdout, stderr } = await run(...args, '--json', '--out', out);
    expect(code).toBe(1);
    expect(stderr).toContain('ar does not run');
    expect(stderr).toContain('--models DIR');
    const report = JSON.parse(stdout) as AdversarialReport;
    expect(report.simulators['ar']).toMatchObject({ error: { code: 'not_found' } });
    expect(report.simulators['twin']).toMatchObject({ n: 4, exact: 4, stood: 4, kinds: { injection: { n: 2 } } });
    expect(readFileSync(out, 'utf8').trimEnd().split('\n')).toHaveLength(4);
  }, 120_000);

  it('says clearly when there is no model at all', async () => {
    const { code, stdout, stderr } = await run('--model', 'ar,mdlm', '--models', folder, '--seeds', '1');
    expect(code).toBe(1);
    expect(stderr).toContain(`None of ar, mdlm can be run from ${folder}`);
    expect(stdout).toContain('ar did not run');
  }, 120_000);

  it('prints a table of kind x simulator with the worst answers of a real model', async () => {
    const micro = join(root, 'test/fixtures/micro');
    const args = [
      '--model',
      'all',
      '--models',
      micro,
      '--threshold',
      '0.02',
      '--seeds',
      '1',
      '--kinds',
      'unknown_tool',
    ];
    const { code, stdout } = await run(...args, '--show', '1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +twin +ar +mdlm$/m);
    expect(stdout).toMatch(/^unknown_tool +1\/1 \(1\) +\d\/1 \(\d\) +\d\/1 \(\d\)$/m);
    expect(stdout).toContain('The worst of ar');
    expect(stdout).toMatch(/^ +-> /m);
  }, 120_000);
});
