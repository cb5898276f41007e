/** The targets of issue D on WebAssembly, and on graphics cards, held against what was measured. */
import type { Endurance, LaneRate, ProviderReport } from './report';
import type { Setting } from './settings';

export type Verdict = 'met' | 'MISSED' | 'not judged';

export interface Target {
  provider: string;
  goal: string;
  verdict: Verdict;
  /** What was measured, and where a target is missed what bounds it; why a target is not judged. */
  figures: string;
}

const MOST_PASSES = 8;
const LEAST_RUNS = 10;
const FIRST_ANSWER_MS = 3000;
const LONG = 1000;
/** What counts as flat: times of a busy machine differ by as much without a leak. */
const GROWTH = 1.1;
/** Of MDLM to AR, and of 100 lanes to one. */
const SHARE = { wasm: 1, gpu: 0.5 };
const GAIN = { wasm: 4, gpu: 10 };

type Judgement = { verdict: Verdict; figures: string };

/** All targets of one provider; software adapters have none. */
export function targetsOf(provider: string, one: ProviderReport): Target[] {
  if (one.software) return [];
  const place = provider === 'webgpu' ? 'gpu' : 'wasm';
  const out: Target[] = [];
  const add = (goal: string, judgement: Judgement) => out.push({ provider, goal, ...judgement });
  if (place === 'wasm') add('AR at least 2x transformers.js', judgeGenerate(one));
  add(
    `MDLM at most ${SHARE[place].toFixed(1)}x AR's wall time at no lower exactness and at most ${MOST_PASSES} passes`,
    judgeMdlm(one, SHARE[place]),
  );
  add(`100 lanes at ${GAIN[place]}x one lane`, judgeLanes(one, GAIN[place]));
  add('first answer within 3 s', judgeFirst(one));
  for (const kind of ['ar', 'mdlm'] as const) add(`${kind} flat over 1,000 steps`, judgeFlat(one.endurance[kind]));
  return out;
}

function unjudged(figures: string): Judgement {
  return { verdict: 'not judged', figures };
}

function judged(met: boolean, figures: string, bound = ''): Judgement {
  return met ? { verdict: 'met', figures } : { verdict: 'MISSED', figures: `${figures}${bound}` };
}

/** Medians of too few runs are no medians to judge by. */
function few(runs: number): string {
  return runs < LEAST_RUNS ? ` (${runs} runs of at least ${LEAST_RUNS})` : '';
}

function judgeGenerate({ arTokensPerSecond, transformersJsTokensPerSecond, generate, ar }: ProviderReport): Judgement {
  if (arTokensPerSecond === null || transformersJsTokensPerSecond === null || !generate) {
    return unjudged('not measured');
  }
  const ratio = arTokensPerSecond / transformersJsTokensPerSecond;
  const figures = `${ratio.toFixed(2)}x`;
  const short = few(generate.runs);
  return short ? unjudged(figures + short) : judged(ratio >= 2, figures, ar ? bound(ar) : '');
}

function judgeMdlm({ ar, mdlm }: ProviderReport, share: number): Judgement {
  const all = Object.entries(mdlm).sort(([, a], [, b]) => b.observationExact - a.observationExact || a.ms - b.ms);
  const fits = ({ ms, nfe, observationExact }: Setting, { ms: arMs, observationExact: arExact }: Setting) =>
    ms <= share * arMs && nfe <= MOST_PASSES && observationExact >= arExact;
  if (!ar) return unjudged('AR was not measured');
  // The one that meets the target; else the most exact, the quicker of two equals.
  const found = all.find(([, setting]) => fits(setting, ar)) ?? all[0];
  if (!found) return unjudged('no sampler was measured');
  const [name, best] = found;
  const figures =
    `${name}: ${(best.ms / ar.ms).toFixed(2)}x, exact ${best.observationExact.toFixed(3)} against ` +
    `${ar.observationExact.toFixed(3)}, ${best.nfe} passes`;
  const short = few(Math.min(best.runs, ar.runs, best.exactN, ar.exactN));
  return short ? unjudged(figures + short) : judged(fits(best, ar), figures, bound(best));
}

function judgeLanes({ lanes }: ProviderReport, times: number): Judgement {
  const [one, hundred] = [lanes['1'], lanes['100']];
  if (!one?.stepsPerSecond || !hundred?.stepsPerSecond) return unjudged('1 or 100 lanes were not measured');
  const gain = hundred.stepsPerSecond / one.stepsPerSecond;
  const arGain = (hundred.ar.stepsPerSecond ?? 0) / (one.ar.stepsPerSecond ?? NaN);
  const told = (ratio: number) => (Number.isNaN(ratio) ? '-' : `${ratio.toFixed(2)}x`);
  const figures = `MDLM ${told(gain)}, AR ${told(arGain)}`;
  // Of the steps of many lanes with the rate of one.
  const most = (many: LaneRate, alone: LaneRate) =>
    told((many.mostStepsPerSecond ?? NaN) / (alone.stepsPerSecond ?? NaN));
  const roof = `; by the roofline of operations at most ${most(hundred, one)} and ${most(hundred.ar, one.ar)}`;
  const short = few(one.steps);
  if (short) return unjudged(figures + short);
  return judged(gain >= times && arGain >= times, figures, hundred.mostStepsPerSecond ? roof : '');
}

function judgeFirst({ firstAnswerMs, opening }: ProviderReport): Judgement {
  if (firstAnswerMs === null || !opening) return unjudged('not measured');
  const figures = `${firstAnswerMs.toFixed(0)} ms`;
  const short = few(opening.runs);
  return short ? unjudged(figures + short) : judged(firstAnswerMs <= FIRST_ANSWER_MS, figures);
}

function judgeFlat(endurance: Endurance | null): Judgement {
  if (!endurance) return unjudged('not measured on this provider');
  const { steps, earlyMs, lateMs, wasmBytes, memory } = endurance;
  const mb = ([before, after]: [number, number]) => `${(before / 1e6).toFixed(1)} to ${(after / 1e6).toFixed(1)} MB`;
  const figures =
    `${steps} steps, ${earlyMs.toFixed(1)} to ${lateMs.toFixed(1)} ms, WebAssembly ${mb(wasmBytes)}, ` +
    (memory ? `${memory.measure} ${mb(memory.bytes)}` : 'no measure of the page');
  if (steps < LONG) return unjudged(`${figures} (too few steps)`);
  const grown = memory !== null && memory.bytes[1] > GROWTH * memory.bytes[0];
  return judged(lateMs <= GROWTH * earlyMs && wasmBytes[1] <= wasmBytes[0] && !grown, figures);
}

function bound({ bound: least, ms, graphMs }: Setting): string {
  const roof = least ? `; roofline ${least.ms.toFixed(1)} ms by ${least.by}` : '';
  return `${roof}; ${graphMs.toFixed(1)} of ${ms.toFixed(1)} ms in the graph`;
}
