import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cellOf, DIRECTIVES } from '../rollouts/steering';
import { readSuite } from '../rollouts/suites';
import { parseSteeringArgs } from './steeringOptions';
import { formatSteering, type SteeringReport } from './steeringReport';

const root = resolve(import.meta.dirname, '../..');

describe('parseSteeringArgs', () => {
  it('begins with what the page begins with', () => {
    expect(parseSteeringArgs([])).toMatchObject({
      names: ['twin', 'ar', 'mdlm'],
      suite: {
        ...{ families: ['support', 'terminal', 'grid'], seeds: [1, 2, 3], difficulties: [1], directives: DIRECTIVES },
        ...{ calls: 1, seed: 1, anchors: { split: 'test', n: 6, attempts: 8 } },
      },
      out: null,
    });
    const more = ['--worlds', '2', '--first', '7', '--difficulties', '3,1', '--directives', 'empty,fail'];
    expect(parseSteeringArgs(more)?.suite).toMatchObject({
      ...{ seeds: [7, 8], difficulties: [1, 3], directives: ['fail', 'empty'] },
    });
    expect(parseSteeringArgs(['-h'])).toBeNull();
  });

  it.each([
    [['--model', 'gpt'], /"gpt" is none of twin, ar, mdlm/],
    [['--directives', 'slow'], /"slow" is none of fail, stale/],
    [['--families', 'zoo'], /"zoo"/],
    [['--split', 'all'], /--split all is none of test/],
    [['--difficulties', '4'], /"4" is none of 1, 2, 3/],
    [['--worlds', '0'], /--worlds 0 is not a number of worlds/],
    [['--threshold', '2'], /--threshold 2/],
    [['--columns', 'seeds'], /--columns seeds is none of worlds, families/],
    [['--what'], /--what/],
  ])('refuses %j and shows the usage', (args, message) => {
    expect(() => parseSteeringArgs(args)).toThrow(message);
    expect(() => parseSteeringArgs(args)).toThrow(/--directives LIST/);
  });
});

describe('the command', () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      const command = [join(root, 'node_modules/tsx/dist/cli.mjs'), 'src/cli/steering.ts', ...args];
      execFile(process.execPath, command, { cwd: root, maxBuffer: 1e8 }, (error, stdout, stderr) =>
        done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      );
    });

  it('prints one JSON object, tells a missing model, and saves a run that the page opens', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'steering-'));
    try {
      const [out, save] = [join(folder, 'all.jsonl'), join(folder, 'run.wmsuite.json')];
      const args = ['--model', 'twin,ar', '--models', folder, '--families', 'grid', '--worlds', '2', '--json'];
      const { code, stdout, stderr } = await run(...args, '--out', out, '--save', save);
      expect(code).toBe(1);
      expect(stderr).toContain('ar does not run');
      const report = JSON.parse(stdout) as SteeringReport;
      expect(report.errors['ar']).toMatchObject({ code: 'not_found' });
      const all = cellOf(report.grid, 'twin', 'all', 'grid');
      expect(all).toMatchObject({ compliance: { mean: 1 }, collateral: { mean: 1 }, exact: { mean: 1 } });
      const opened = readSuite(readFileSync(save, 'utf8'));
      expect(opened).toMatchObject({ suite: 'steering', differences: [], head: { total: 2, done: 2 } });
      expect(opened.items).toHaveLength(all?.n ?? 0);
      expect(readFileSync(out, 'utf8').trimEnd().split('\n')).toHaveLength(all?.n ?? 0);
      const text = formatSteering(report);
      expect(text).toMatch(/^all +\d+\/\d+ \| 1\.00 +\d+\/\d+ \[.*\] \| 1\.00$/m);
      // A column for each world, whose calls add up to those of the family.
      expect(text).toMatch(/^grid world +1 +2$/m);
      const worlds = report.grid.worlds.map((world) => cellOf(report.grid, 'twin', 'all', 'grid', world)?.n ?? 0);
      expect(worlds).toHaveLength(2);
      expect(worlds.reduce((a, b) => a + b, 0)).toBe(all?.n);
      expect(formatSteering(report, 'families')).not.toContain('grid world');
      expect(text).toContain('ar did not run');
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});
