/** What a bench reports, and its tables. Every figure is a median unless its name says otherwise (docs/bench.md). */
import type { Machine } from './roofline';
import type { Setting } from './settings';
import type { Target } from './targets';
import { formatTwins, type TwinTimes } from './twins';

export interface LaneRate {
  /** Steps of all lanes together over the time of all; null where that failed. */
  stepsPerSecond: number | null;
  steps: number;
  /** Rounds: all lanes answer one step each. */
  rounds: number;
  /** Whether lanes shared forward passes: any call had more than one row. */
  shared: boolean;
  /** No number of lanes gets these steps done faster: the roofline of their operations, with all memory for nothing. */
  mostStepsPerSecond: number | null;
}

/** How memory was measured: the browser's own account, or what the operating system says. */
export type MemoryMeasure = 'measureUserAgentSpecificMemory' | 'resident size of the process';

export interface Endurance {
  steps: number;
  /** Medians of the first and last `windowSteps` steps. */
  windowSteps: number;
  earlyMs: number;
  lateMs: number;
  /** The worker's WebAssembly memory, and page with workers, behind the first window and at the end. */
  wasmBytes: [number, number];
  memory: { measure: MemoryMeasure; bytes: [number, number] } | null;
}

export interface Opening {
  runs: number;
  isolated: boolean;
  paintMs: number | null;
  /** First answer of each lane on screen. */
  lanes: { [lane: string]: number | null };
}

/** Tokens a second of whole answers from a cold prompt, and without the prompt's pass. */
export interface GenerateRates {
  runs: number;
  /** Answers with the same tokens in both. */
  equal: number;
  /** Ours: the answer again, with its prompt cached. transformers.js: the answer less a run that generates one token. */
  decodeTokensPerSecond: number | null;
  transformersJsDecodeTokensPerSecond: number | null;
  /** What a cold prompt adds: ours, cold less cached; transformers.js, a run that generates one token. And its tokens. */
  prefillMs: number | null;
  transformersJsPrefillMs: number | null;
  promptTokens: number | null;
}

export interface ProviderReport {
  /** Threads of WebAssembly; null until a model is open. */
  threads: number | null;
  adapter: string | null;
  /** A software adapter: figures say nothing about graphics cards. */
  software: boolean;
  firstAnswerMs: number | null;
  opening: Opening | null;
  arTokensPerSecond: number | null;
  transformersJsTokensPerSecond: number | null;
  generate: GenerateRates | null;
  ar: Setting | null;
  mdlm: { [sampler: string]: Setting };
  /** Of the MDLM with `speculative`; of the AR model in `ar`. */
  lanes: { [lanes: string]: LaneRate & { ar: LaneRate } };
  endurance: { ar: Endurance | null; mdlm: Endurance | null };
  machine: Machine | null;
}

/** A part that gave no figures. */
export interface FailedPart {
  provider: string;
  part: string;
  reason: string;
}

export interface BenchReport {
  /** What was less than a full bench has; empty for a full one. */
  reduced: string[];
  /** False while it runs, and in a file of a bench that was stopped. */
  complete: boolean;
  started: string;
  seconds: number;
  machine: { cpu: string; cores: number; loadAverage: number[]; node: string; browser: string };
  models: { [kind: string]: { version: string; sha256: string; parameters: number } };
  sample: { split: string; seed: number; exact: number; timed: number; trajectories: number };
  providers: { [provider: string]: ProviderReport };
  failed: FailedPart[];
  /** Providers that were not measured, and why. */
  skipped: { [provider: string]: string };
  targets: Target[];
  twins: { [family: string]: TwinTimes };
}

export const NO_RATE: LaneRate = { stepsPerSecond: null, steps: 0, rounds: 0, shared: false, mostStepsPerSecond: null };

/** A provider of which nothing is measured yet. */
export function emptyProvider(adapter: { name: string; software: boolean } | null): ProviderReport {
  return {
    ...{ threads: null, adapter: adapter?.name ?? null, software: adapter?.software ?? false },
    ...{ firstAnswerMs: null, opening: null },
    ...{ arTokensPerSecond: null, transformersJsTokensPerSecond: null, generate: null },
    ...{ ar: null, mdlm: {}, lanes: {}, endurance: { ar: null, mdlm: null }, machine: null },
  };
}

/** The report as tables for people. */
export function formatBench(report: BenchReport): string {
  const { machine, models, reduced } = report;
  const lines = [
    `${machine.cores} cores (${machine.cpu}), ${machine.browser}, ` +
      `pair ${models['ar']?.version}/${models['mdlm']?.version}, ${report.seconds.toFixed(0)} s`,
  ];
  if (reduced.length > 0) lines.push(`LESS THAN A FULL BENCH, only a sign: ${reduced.join('; ')}`);
  for (const [name, one] of Object.entries(report.providers)) lines.push('', ...providerLines(name, one));
  for (const [name, reason] of Object.entries(report.skipped)) lines.push('', `${name}: not measured, ${reason}`);
  if (report.failed.length > 0) lines.push('', 'failed');
  for (const { provider, part, reason } of report.failed) lines.push(`  ${provider}, ${part}: ${reason}`);
  lines.push('', 'targets');
  for (const { provider, goal, verdict, figures } of report.targets) {
    lines.push(`  ${verdict.padEnd(10)} ${provider}: ${goal}: ${figures}`);
  }
  return `${lines.join('\n')}\n\n${formatTwins(report.twins)}`;
}

function providerLines(name: string, one: ProviderReport): string[] {
  const lines = [
    `${name}${one.software ? ' (software adapter)' : ''}: first answer ${number(one.firstAnswerMs)} ms after opening`,
    `  AR ${number(one.arTokensPerSecond)} tokens/s, transformers.js ${number(one.transformersJsTokensPerSecond)}`,
    `  ${'setting'.padEnd(16)}       ms  graph  bound   NFE  tokens  exact (n)`,
  ];
  const settings = [...(one.ar ? [['ar', one.ar] as const] : []), ...Object.entries(one.mdlm)];
  for (const [title, setting] of settings) {
    const { ms, graphMs, bound, nfe, forwardTokens, observationExact, exactN } = setting;
    const cells = [number(ms).padStart(8), number(graphMs).padStart(6), number(bound?.ms ?? null).padStart(6)];
    const rest = [String(nfe).padStart(5), String(forwardTokens).padStart(7)];
    lines.push(`  ${title.padEnd(16)} ${[...cells, ...rest].join(' ')}  ${observationExact.toFixed(3)} (${exactN})`);
  }
  for (const [lanes, rate] of Object.entries(one.lanes)) {
    const some = ({ stepsPerSecond, mostStepsPerSecond }: LaneRate) =>
      `${number(stepsPerSecond, 2)} (roofline ${number(mostStepsPerSecond, 1)})`;
    lines.push(`  ${lanes.padStart(3)} lanes: mdlm ${some(rate)}, ar ${some(rate.ar)} steps/s`);
  }
  return lines;
}

function number(value: number | null, digits = 0): string {
  return value === null ? '-' : value.toFixed(digits);
}
