/** The bench: it finds its way about the page, and a short one with the micro pair has the shape that readers count on. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureChromium } from '../../scripts/chromium.mjs';
import { measure } from '../../src/cli/bench/opening.ts';
import type { BenchReport } from '../../src/cli/bench/report.ts';
import { SAMPLERS } from '../../src/models/index.ts';
import { startApp, type App } from './app.ts';

const root = resolve(import.meta.dirname, '../..');
const micro = join(root, 'test/fixtures/micro');
let app: App;
let folder: string;

beforeAll(async () => {
  app = await startApp();
  folder = mkdtempSync(join(tmpdir(), 'terrarium-bench-'));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command; what it prints has to be one JSON object and nothing else, and its file the same. */
async function bench(models: string, ...more: string[]): Promise<BenchReport> {
  const out = join(folder, 'bench.json');
  const least = ['--exact', '1', '--runs', '1', '--openings', '0', '--dist', join(root, 'dist')];
  const { stdout } = await promisify(execFile)(
    join(root, 'node_modules/.bin/tsx'),
    ['src/cli/bench.ts', '--json', '--models', models, '--out', out, ...least, ...more],
    { cwd: root, maxBuffer: 1e8 },
  );
  const report = JSON.parse(stdout) as BenchReport;
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(report);
  return report;
}

test('an opening is measured: paint, press and first answer', async () => {
  const opening = {
    url: `${app.url}/#world=support&lanes=twin`,
    executablePath: await ensureChromium(),
    lanes: ['twin'],
    patience: 60_000,
  };
  const measured = await measure(opening, new AbortController().signal);
  expect(measured.failures).toEqual({});
  expect(measured.isolated).toBe(true);
  const { pressed, first, paint } = measured;
  expect(pressed).toBeGreaterThan(0);
  expect(paint).toBeGreaterThan(0);
  expect(first['twin']).toBeGreaterThan(pressed as number);
});

test('a lane that is not there is told, not waited for in vain, and an abort ends it', async () => {
  const opening = {
    url: `${app.url}/#world=support&lanes=twin`,
    executablePath: await ensureChromium(),
    lanes: ['twin', 'mdlm'],
    patience: 1500,
  };
  const measured = await measure(opening, new AbortController().signal);
  expect(measured.failures['mdlm']).toContain('no answer within 1500 ms');
  const reason = new Error('enough');
  await expect(measure(opening, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('one and two threads: every figure of the issue is there, exactness is measured once where tokens are equal', async () => {
  const report = await bench(micro, '--providers', 'wasm1,wasm2', '--lanes', '1', '--endurance', '0');
  expect(report.failed).toEqual([]);
  expect(report.complete).toBe(true);
  expect(report.reduced).toContain('exactness on 1 transitions instead of 300');
  expect(Object.keys(report.providers).sort()).toEqual(['wasm1', 'wasm2']);
  for (const [name, threads] of [['wasm1', 1] as const, ['wasm2', 2] as const]) {
    const one = report.providers[name];
    expect(one?.threads).toBe(threads);
    expect(one?.arTokensPerSecond).toBeGreaterThan(0);
    expect(one?.transformersJsTokensPerSecond).toBeGreaterThan(0);
    expect(one?.generate).toMatchObject({ runs: 1, equal: 1 });
    expect(Object.keys(one?.mdlm ?? {})).toEqual(Object.keys(SAMPLERS));
    for (const setting of [one?.ar, ...Object.values(one?.mdlm ?? {})]) {
      expect(setting).toMatchObject({ runs: 1, exactN: 1, exactFrom: 'wasm2' });
      expect(setting?.ms).toBeGreaterThan(0);
      expect(setting?.nfe).toBeGreaterThan(0);
      expect(setting?.observationExact).toBeGreaterThanOrEqual(0);
      // The pass over the prompt counts.
      expect(setting?.forwardTokens).toBeGreaterThan(setting?.prefillTokens ?? Infinity);
      expect(setting?.graphMs).toBeLessThanOrEqual(setting?.ms ?? 0);
      expect(setting?.bound?.ms).toBeGreaterThan(0);
      const { sameTokens } = setting ?? {};
      expect(sameTokens).toEqual(name === 'wasm2' ? null : { compared: 1, equal: 1 });
    }
    expect(Object.keys(one?.lanes ?? {})).toEqual(['1']);
    for (const rate of [one?.lanes['1'], one?.lanes['1']?.ar]) {
      expect(rate?.stepsPerSecond).toBeGreaterThan(0);
      expect(rate?.mostStepsPerSecond).toBeGreaterThan(rate?.stepsPerSecond ?? Infinity);
    }
  }
  // Nothing of so short a bench is held against a target.
  expect(new Set(report.targets.map(({ verdict }) => verdict))).toEqual(new Set(['not judged']));
});

test('a model that does not load is told of, and the other one is measured', async () => {
  const models = join(folder, 'models');
  cpSync(micro, models, { recursive: true });
  writeFileSync(join(models, 'mdlm/onnx/model.onnx'), 'nothing');
  const report = await bench(models, '--providers', 'wasm1', '--lanes', '1', '--endurance', '0');
  expect(report.complete).toBe(true);
  expect(report.providers['wasm1']?.ar?.ms).toBeGreaterThan(0);
  expect(report.providers['wasm1']?.mdlm).toEqual({});
  const parts = report.failed.map(({ provider, part }) => `${provider}, ${part}`);
  expect(parts).toEqual([...Object.keys(SAMPLERS).map((name) => `wasm1, mdlm ${name}`), 'wasm1, mdlm, 1 lanes']);
  for (const { reason } of report.failed) expect(reason.length).toBeGreaterThan(10);
});
