/**
 * `npm run -s bench -- --json`: speed of the pair in headless Chromium on the production build, never without its quality.
 * docs/bench.md says what each figure means. Targets are printed, never asserted.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { messageOf } from '../models/errors';
import { BENCH_USAGE, parseBenchArgs } from './bench/options';
import { formatBench, type BenchReport } from './bench/report';
import { runBench } from './bench/run';

const note = (line: string) => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const options = parseBenchArgs(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(`${BENCH_USAGE}\n`);
    return;
  }
  // Stdout carries the result alone, whatever build and runtimes have to say.
  console.log = console.info = console.debug = console.error;
  const out = resolve(options.out ?? join(tmpdir(), 'terrarium-bench.json'));
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      process.exitCode = 130;
      controller.abort(new Error(`Stopped; what was measured is in ${out}.`));
    });
  }
  const root = resolve(import.meta.dirname, '../..');
  if (options.dist === null) {
    note('Building the page ...');
    await build({ root, mode: 'production', logLevel: 'warn' });
  }
  note(`What is measured is kept in ${out} as it comes.`);
  const save = (report: BenchReport) => {
    // A reader, or a kill in between, never meets half a file.
    writeFileSync(`${out}.part`, `${JSON.stringify(report, null, 1)}\n`);
    renameSync(`${out}.part`, out);
  };
  const dist = resolve(options.dist ?? join(root, 'dist'));
  const report = await runBench(options, dist, note, save, controller.signal);
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : formatBench(report));
}

await main().catch((error: unknown) => {
  note(messageOf(error));
  process.exitCode ??= 1;
});
