import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenizerFile } from '../models/tokenizer';
import { parseEvalArgs } from './evalOptions';
import type { Report } from './evalReport';

const root = resolve(import.meta.dirname, '../..');

describe('parseEvalArgs', () => {
  it('has the defaults of the project', () => {
    expect(parseEvalArgs([])).toMatchObject({
      split: 'test',
      n: 300,
      names: ['ar', 'mdlm'],
      models: 'models',
      show: 0,
      json: false,
    });
    // Nothing is on that was not asked for.
    const plain = { seed: 1, threshold: 0.9, temperature: 0, topP: 1 };
    const sampler = { name: 'speculative', masks: 4, least: 0.3 };
    expect(parseEvalArgs([])?.sampling).toEqual({ ...plain, sampler });
    const threshold = { name: 'threshold', threshold: 0.7 };
    for (const more of [[], ['--sampler', 'threshold']]) {
      const asked = parseEvalArgs(['--threshold', '0.7', ...more])?.sampling;
      expect(asked).toEqual({ ...plain, threshold: 0.7, sampler: threshold });
    }
    const blocks = parseEvalArgs(['--block-size', '8'])?.sampling;
    expect(blocks).toEqual({ ...plain, blockSize: 8, sampler: { name: 'threshold', threshold: 0.9 } });
    expect(parseEvalArgs(['--help'])).toBeNull();
    expect(parseEvalArgs(['--model', 'twin, mdlm', '--split', 'unseen', '--n', '7', '--json'])).toMatchObject({
      names: ['mdlm', 'twin'],
      split: 'unseen',
      n: 7,
      json: true,
    });
  });

  it('reads how answers are made', () => {
    const args = ['--sampler', 'confidence:steps=8,order=entropy', '--block-size', '16', '--crop', '--min-p', '0.1'];
    const more = ['--guidance', '1.5', '--temperature', '0.7', '--best-of', '4:parses', '--constraint', 'schema'];
    expect(parseEvalArgs([...args, ...more])?.sampling).toEqual({
      ...{ seed: 1, threshold: 0.9, temperature: 0.7, topP: 1, minP: 0.1, guidance: 1.5, blockSize: 16, crop: true },
      ...{ bestOf: { n: 4, verifier: 'parses' }, constraint: 'schema' },
      sampler: { name: 'confidence', steps: 8, order: 'entropy' },
    });
  });

  it.each([
    [['--sampler', 'best'], /no diffusion sampler "best"/],
    [['--sampler', 'confidence:speed=2'], /no parameter "speed"/],
    [['--sampler', 'speculative', '--crop'], /which has no window/],
    [['--sampler', 'ancestral', '--threshold', '0.5'], /nothing to --sampler ancestral/],
    [['--best-of', '4'], /needs a --temperature/],
    [['--best-of', '4:luck', '--temperature', '1'], /parses, likely, sound/],
    [['--constraint', 'json'], /none of schema/],
    [['--guidance', '101'], /--guidance 101/],
    [['--split', 'dev'], /--split dev is none of test/],
    [['--n', '0'], /--n 0 is not/],
    [['--n', '1.5'], /--n 1\.5/],
    [['--n', ''], /--n {2}is not/],
    [['--seed', '100'], /0 to 99/],
    [['--threshold', '0'], /--threshold 0/],
    [['--temperature', '-1'], /temperature/],
    [['--top-p', '1.1'], /--top-p 1\.1/],
    [['--model', 'ar,gpt'], /"gpt" is none of ar, mdlm/],
    [['--model', ''], /"" is none of/],
    [['--what'], /--what/],
    [['test'], /test/],
  ])('refuses %j and shows the usage', (args, message) => {
    expect(() => parseEvalArgs(args)).toThrow(message);
    expect(() => parseEvalArgs(args)).toThrow(/--split test\|unseen\|heldout/);
  });
});

describe('the command', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'eval-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      const command = [join(root, 'node_modules/tsx/dist/cli.mjs'), 'src/cli/eval.ts', ...args];
      execFile(process.execPath, command, { cwd: root, maxBuffer: 1e8 }, (error, stdout, stderr) =>
        done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
      );
    });

  it('prints one JSON object; missing weights are told and stop nobody else', async () => {
    const [out, rows] = [join(folder, 'report.json'), join(folder, 'rows.jsonl')];
    const args = ['--n', '25', '--model', 'twin,mdlm', '--models', folder, '--json', '--out', out, '--rows', rows];
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stderr).toContain('mdlm does not run');
    expect(stderr).toContain('--models DIR');
    const report = JSON.parse(stdout) as Report;
    expect(report).toMatchObject({ split: 'test', n: 25, seed: 1, overLayout: null });
    expect(report.models['mdlm']).toMatchObject({ error: { code: 'not_found' } });
    expect(report.models['twin']).toMatchObject({ n: 25, answerExact: 1, nfe: 0 });
    expect(report.models['copyNothing']).toMatchObject({ n: 25, parseOk: 1, deltaExactChanged: 0 });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(report);
    expect(readFileSync(rows, 'utf8').trimEnd().split('\n')).toHaveLength(50);
  }, 120_000);

  it('measures answers against the layout with the tokenizer of the models', async () => {
    const models = join(folder, 'with');
    mkdirSync(join(models, 'ar'), { recursive: true });
    writeFileSync(join(models, 'ar/tokenizer.json'), tokenizerFile([]));
    const { code, stdout } = await run('--n', '25', '--model', 'twin', '--models', models, '--json');
    expect(code).toBe(0);
    const sha256 = createHash('sha256').update(tokenizerFile([])).digest('hex');
    const report = JSON.parse(stdout) as Report;
    expect(report).toMatchObject({ tokenizerSha256: sha256 });
    // Single bytes: long answers no longer fit.
    expect(report.overLayout).toBeGreaterThan(0);
  }, 120_000);

  it('prints a table, with examples when asked', async () => {
    const { code, stdout } = await run('--n', '12', '--model', 'twin', '--models', folder, '--show', '2');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^observationExact /m);
    expect(stdout.match(/^twin · trajectory/gm)).toHaveLength(2);
  }, 120_000);
});
