/**
 * `npm run -s adversarial -- --model twin|ar|mdlm|all --models DIR --seeds N --json`: how simulators stand up to situations
 * that tempt them to fail. Kinds, verdicts and failures: docs/adversarial.md.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Failure } from '../models';
import type { Lane } from '../rollouts';
import { adversarialTables, runSuite, type ScenarioResult } from '../rollouts/adversarial';
import { ADVERSARIAL_USAGE, parseAdversarialArgs, type AdversarialOptions } from './adversarialOptions';
import { formatAdversarial, type AdversarialReport } from './adversarialReport';
import { openSimulators } from './openSimulator';

const note = (text: string) => process.stderr.write(text);

async function main(): Promise<void> {
  const options = parseAdversarialArgs(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(`${ADVERSARIAL_USAGE}\n`);
    return;
  }
  // Stdout carries the result alone, whatever the runtimes have to say.
  console.log = console.info = console.debug = console.error;
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('Stopped; there is no table of a part.')));
  const { opened, errors, dispose } = await openSimulators(options.names, options.models, controller.signal);
  try {
    const lanes = opened.map(({ name, simulator }): Lane => ({ id: name, simulator }));
    const results = lanes.length > 0 ? await run(lanes, options, controller.signal) : [];
    write(results, errors, options);
    if (Object.keys(errors).length > 0) process.exitCode = 1;
  } finally {
    await dispose();
  }
}

/** The suite; each result goes to the file as soon as it is there, and stderr hears how far it is every ten seconds. */
async function run(lanes: Lane[], options: AdversarialOptions, signal: AbortSignal): Promise<ScenarioResult[]> {
  const { kinds, seeds, first: firstSeed, families, seed, temperature, threshold, out } = options;
  const file = out === null ? null : openSync(out, 'w');
  const began = performance.now();
  let told = began;
  try {
    return await runSuite(lanes, {
      ...{ kinds, seeds, firstSeed, families, sampling: { seed, temperature, threshold }, signal },
      onProgress: ({ done, total, last }) => {
        if (file !== null) writeSync(file, `${JSON.stringify(last)}\n`);
        const now = performance.now();
        if (now - told < 10_000 && done < total) return;
        told = now;
        note(`${done} of ${total} scenarios, ${((now - began) / 1000).toFixed(0)} s, now ${last.kind}\n`);
      },
    });
  } finally {
    if (file !== null) closeSync(file);
  }
}

function write(
  results: readonly ScenarioResult[],
  errors: { [name: string]: Failure },
  { names, show, json, ...options }: AdversarialOptions,
): void {
  const { seeds, first, kinds, families, seed, temperature, threshold } = options;
  const report: AdversarialReport = {
    ...{ seeds, first, kinds, families, seed, temperature, threshold },
    ...adversarialTables(names, results, errors, show),
  };
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : formatAdversarial(report));
}

await main().catch((error: unknown) => {
  note(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
