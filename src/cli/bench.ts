/**
 * `npm run -s bench -- [--json]`: how long the production page takes until it answers. It builds and serves the page, opens
 * it several times in a fresh browser with a fresh profile, and prints medians. Bounds are printed, never asserted.
 */
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { ensureChromium } from '../../scripts/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';
import { median } from '../metrics';
import { measure, type Measured } from './benchPage';
import { benchTwins, formatTwins, type TwinTimes } from './benchTwins';

const USAGE = `Use: npm run -s bench -- [options]
  --runs N       openings, each in a fresh profile (5)
  --steps N      steps after the first, for the cost of a transition (6, at most 50)
  --lanes LIST   lanes of the page (twin,mdlm,ar)
  --provider P   wasm, webgpu or auto (wasm)
  --world NAME   family of the world (support)
  --models DIR   models to serve instead of those in the build
  --dist DIR     take the build that is there instead of making one
  --json         one JSON object on stdout`;

/** Bounds of the page on WebAssembly with two cores, in milliseconds after opening. */
const BOUNDS: { [lane: string]: number } = { twin: 1000, mdlm: 5000 };
const PATIENCE_MS = 120_000;
/** Worlds of each family whose steps are timed. */
const TWIN_WORLDS = 30;

interface LaneMedians {
  /** First answer after opening. */
  firstMs: number | null;
  boundMs: number | null;
  /** Later answers: medians over all of them, and how many there were. */
  transitions: number;
  msPerTransition: number | null;
  nfe: number | null;
  forwardTokens: number | null;
  failure: string | null;
}

export interface BenchReport {
  runs: number;
  cores: number;
  cpu: string;
  provider: string;
  world: string;
  isolated: boolean;
  paintMs: number | null;
  pressedMs: number | null;
  lanes: { [lane: string]: LaneMedians };
  measured: Measured[];
  /** Step times of the twins in Node. */
  twins: { [family: string]: TwinTimes };
}

const note = (text: string) => process.stderr.write(`${text}\n`);

function options() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '5' },
      steps: { type: 'string', default: '6' },
      lanes: { type: 'string', default: 'twin,mdlm,ar' },
      provider: { type: 'string', default: 'wasm' },
      world: { type: 'string', default: 'support' },
      models: { type: 'string' },
      dist: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [runs, steps] = [Number(values.runs), Number(values.steps)];
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs ${values.runs} is not a number of openings.`);
  if (!Number.isInteger(steps) || steps < 0 || steps > 50) throw new Error(`--steps ${values.steps} is not 0 to 50.`);
  return { ...values, runs, steps };
}

async function main(): Promise<void> {
  const { runs, steps, lanes: list, provider, world, models, dist, json } = options();
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('Stopped.')));
  if (dist === undefined) {
    note('Building the page ...');
    await build({ root: resolve(import.meta.dirname, '../..'), mode: 'production', logLevel: 'warn' });
  }
  const executablePath = await ensureChromium();
  const server = await serve({
    ...(dist === undefined ? {} : { dist: resolve(dist) }),
    mounts: models === undefined ? {} : { '/bench-models/': resolve(models) },
  });
  const lanes = list.split(',');
  const hash = new URLSearchParams({ world, lanes: list, provider });
  const query = models === undefined ? '' : '?models=/bench-models/';
  const url = `${server.url}/${query}#${hash.toString().replaceAll('%2C', ',')}`;
  const measured: Measured[] = [];
  try {
    for (let i = 0; i < runs; i++) {
      const one = await measure({ url, executablePath, lanes, steps, patience: PATIENCE_MS }, controller.signal);
      measured.push(one);
      note(`opening ${i + 1} of ${runs}: ${lanes.map((lane) => `${lane} ${ms(one.first[lane] ?? null)}`).join(', ')}`);
    }
  } finally {
    await server.close();
  }
  const report = { ...summarizeBench(measured, lanes, provider, world), twins: await benchTwins(TWIN_WORLDS) };
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : formatBench(report));
}

function summarizeBench(measured: Measured[], lanes: readonly string[], provider: string, world: string) {
  return {
    runs: measured.length,
    cores: measured[0]?.cores ?? 0,
    cpu: cpus()[0]?.model ?? 'unknown',
    provider,
    world,
    isolated: measured.every(({ isolated }) => isolated),
    paintMs: median(measured.flatMap(({ paint }) => paint ?? [])),
    pressedMs: median(measured.flatMap(({ pressed }) => pressed ?? [])),
    lanes: Object.fromEntries(
      lanes.map((lane) => {
        const costs = measured.flatMap((one) => one.costs[lane] ?? []);
        return [
          lane,
          {
            firstMs: median(measured.flatMap(({ first }) => first[lane] ?? [])),
            boundMs: BOUNDS[lane] ?? null,
            transitions: costs.length,
            msPerTransition: median(costs.map((cost) => cost.ms)),
            nfe: median(costs.map((cost) => cost.nfe)),
            forwardTokens: median(costs.map((cost) => cost.forwardTokens)),
            failure: measured.find(({ failures }) => failures[lane])?.failures[lane] ?? null,
          },
        ];
      }),
    ),
    measured,
  };
}

function ms(value: number | null): string {
  return value === null ? '-' : `${value.toFixed(0)} ms`;
}

function formatBench(report: BenchReport): string {
  const lines = [
    `medians of ${report.runs} openings in fresh profiles, ${report.world}, ${report.provider}, ${report.cores} cores ` +
      `(${report.cpu})${report.isolated ? '' : ', not cross-origin isolated: one thread'}`,
    `first paint ${ms(report.paintMs)}, Step can be pressed ${ms(report.pressedMs)}`,
    '',
  ];
  for (const [lane, part] of Object.entries(report.lanes)) {
    const bound = part.boundMs === null ? '' : ` (bound ${ms(part.boundMs)})`;
    lines.push(`${lane.padEnd(16)} first answer ${ms(part.firstMs).padStart(8)} after opening${bound}`);
    if (part.transitions > 0) {
      lines.push(
        `${''.padEnd(16)} later answers ${ms(part.msPerTransition).padStart(7)}, ${part.nfe} passes, ` +
          `${part.forwardTokens} forward tokens (medians of ${part.transitions})`,
      );
    }
    if (part.failure !== null) lines.push(`${''.padEnd(16)} ${part.failure}`);
  }
  if (Object.keys(report.lanes).length > 2)
    lines.push('', 'Lanes answer one after another: a first answer waits for those of the lanes above it.');
  return `${lines.join('\n')}\n\n${formatTwins(report.twins)}`;
}

await main().catch((error: unknown) => {
  note(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 1;
});
