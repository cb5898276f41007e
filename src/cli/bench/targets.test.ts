import { expect, test } from 'vitest';
import { emptyProvider, type Endurance, type ProviderReport } from './report';
import type { Setting } from './settings';
import { targetsOf } from './targets';

function setting(ms: number, nfe: number, observationExact: number, runs = 50): Setting {
  return {
    ...{ ms, nfe, observationExact, runs, observationExactInterval: null, exactN: 300, exactFrom: 'wasm2' },
    ...{ sameTokens: null, msInterval: null, prefillMs: 5, graphMs: 0.8 * ms, scriptMs: 0.2 * ms, graphRuns: nfe },
    ...{ forwardTokens: 400, prefillTokens: 40, generatedTokens: 25, promptTokens: 300 },
    bound: { ms: 0.5 * ms, by: 'compute' },
  };
}

const rate = (stepsPerSecond: number) => ({
  ...{ stepsPerSecond, steps: 100, rounds: 20, shared: true },
  mostStepsPerSecond: 2 * stepsPerSecond,
});
const flat: Endurance = {
  ...{ steps: 1000, windowSteps: 100, earlyMs: 100, lateMs: 105, wasmBytes: [5e7, 5e7] },
  memory: { measure: 'measureUserAgentSpecificMemory', bytes: [9e7, 9.1e7] },
};

/** A provider that meets all targets of WebAssembly, with something changed. */
function provider(change: Partial<ProviderReport> = {}): ProviderReport {
  return {
    ...emptyProvider(null),
    firstAnswerMs: 2500,
    opening: { runs: 10, isolated: true, paintMs: 100, lanes: {} },
    ...{ arTokensPerSecond: 200, transformersJsTokensPerSecond: 100 },
    generate: {
      ...{ runs: 30, equal: 30, decodeTokensPerSecond: 250, transformersJsDecodeTokensPerSecond: 120 },
      ...{ prefillMs: 20, transformersJsPrefillMs: 30, promptTokens: 300 },
    },
    ar: setting(100, 25, 0.6),
    mdlm: { threshold: setting(100, 8, 0.6), confidence: setting(60, 16, 0.7) },
    lanes: { 1: { ...rate(10), ar: rate(10) }, 100: { ...rate(40), ar: rate(50) } },
    endurance: { ar: flat, mdlm: flat },
    ...change,
  };
}

/** Verdict of the only target whose goal has these words. */
function verdict(words: string, one: ProviderReport, name = 'wasm2'): string {
  const found = targetsOf(name, one).filter(({ goal }) => goal.includes(words));
  expect(found).toHaveLength(1);
  return found[0]?.verdict ?? '';
}

test('everything just met on WebAssembly is met', () => {
  expect(targetsOf('wasm2', provider()).map(({ verdict: one }) => one)).toEqual(Array(6).fill('met'));
});

test('AR has to have twice the tokens of transformers.js', () => {
  expect(verdict('transformers.js', provider({ arTokensPerSecond: 199 }))).toBe('MISSED');
});

test('MDLM: time, passes and exactness have to fit in one and the same sampler', () => {
  const one = (mdlm: Setting) => provider({ mdlm: { threshold: mdlm } });
  expect(verdict('MDLM at most 1.0x', one(setting(101, 8, 0.6)))).toBe('MISSED');
  expect(verdict('MDLM at most 1.0x', one(setting(100, 9, 0.6)))).toBe('MISSED');
  expect(verdict('MDLM at most 1.0x', one(setting(100, 8, 0.59)))).toBe('MISSED');
  const figures = targetsOf('wasm2', one(setting(200, 12, 0.3)))[1]?.figures;
  expect(figures).toBe(
    'threshold: 2.00x, exact 0.300 against 0.600, 12 passes; roofline 100.0 ms by compute; 160.0 of 200.0 ms in the graph',
  );
});

test('on a graphics card MDLM has half of the time and 100 lanes ten times one; a software adapter has no targets', () => {
  const gpu = (mdlm: Setting) => ({ ...provider({ mdlm: { threshold: mdlm } }), adapter: 'a card' });
  expect(verdict('MDLM at most 0.5x', gpu(setting(50, 8, 0.6)), 'webgpu')).toBe('met');
  expect(verdict('MDLM at most 0.5x', gpu(setting(51, 8, 0.6)), 'webgpu')).toBe('MISSED');
  expect(verdict('100 lanes at 10x', provider(), 'webgpu')).toBe('MISSED');
  expect(targetsOf('webgpu', { ...provider(), software: true })).toEqual([]);
});

test('both models have to gain by lanes', () => {
  const lanes = { 1: { ...rate(10), ar: rate(10) }, 100: { ...rate(40), ar: rate(39) } };
  expect(verdict('100 lanes at 4x', provider({ lanes }))).toBe('MISSED');
  expect(targetsOf('wasm2', provider({ lanes })).map(({ figures }) => figures)).toContain(
    'MDLM 4.00x, AR 3.90x; by the roofline of operations at most 8.00x and 7.80x',
  );
});

test('flat: time, WebAssembly memory and the page, over 1000 steps', () => {
  const one = (change: Partial<Endurance>) => provider({ endurance: { ar: flat, mdlm: { ...flat, ...change } } });
  expect(verdict('mdlm flat', one({ lateMs: 111 }))).toBe('MISSED');
  expect(verdict('mdlm flat', one({ wasmBytes: [5e7, 5.1e7] }))).toBe('MISSED');
  const memory = { measure: 'resident size of the process', bytes: [1e8, 1.2e8] } as const;
  expect(verdict('mdlm flat', one({ memory: { ...memory, bytes: [...memory.bytes] } }))).toBe('MISSED');
  expect(verdict('ar flat', one({ lateMs: 111 }))).toBe('met');
});

test('what was not measured, or too little, is not judged', () => {
  const few = provider({
    ...{ opening: { runs: 1, isolated: true, paintMs: 100, lanes: {} }, ar: setting(100, 25, 0.6, 3) },
    ...{ endurance: { ar: { ...flat, steps: 40 }, mdlm: null }, lanes: {} },
    generate: { ...(provider().generate as NonNullable<ProviderReport['generate']>), runs: 3 },
  });
  expect(new Set(targetsOf('wasm1', few).map(({ verdict: one }) => one))).toEqual(new Set(['not judged']));
  expect(new Set(targetsOf('wasm1', emptyProvider(null)).map((one) => one.verdict))).toEqual(new Set(['not judged']));
  expect(targetsOf('wasm1', few).find(({ goal }) => goal.includes('ar flat'))?.figures).toContain('too few steps');
});
