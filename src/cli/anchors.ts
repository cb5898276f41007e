/**
 * `npm run -s anchors -- --split test --n 60 --seed 1 --json`: values are pinned before an answer is generated, and the rest
 * of it is held against the twin's answer under that outcome (src/rollouts/steering/anchorCases.ts says which outcomes). The free answers
 * to the same calls stand beside them.
 */
import { writeFileSync } from 'node:fs';
import { anchorRecord, outcomesReport, runAnchors, sampleSteps, type AnchorAnswer } from '../rollouts/steering';
import type { EvalStep } from '../rollouts/trajectories';
import { parseAnchorArgs, ANCHORS_USAGE, type AnchorModel, type AnchorOptions } from './anchorOptions';
import { formatAnchors, type AnchorReport, type ModelAnchors } from './anchorReport';
import { explain, openSimulator } from './openSimulator';
import { progressNotes } from './progress';

const note = (text: string) => process.stderr.write(text);

async function main(): Promise<void> {
  const options = parseAnchorArgs(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(`${ANCHORS_USAGE}\n`);
    return;
  }
  // Stdout carries the result alone, whatever the runtimes have to say.
  console.log = console.info = console.debug = console.error;
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('Stopped; nothing was written.')));
  const steps = await sampleSteps(options.split, options.n, options.seed);
  const models: AnchorReport['models'] = {};
  const rows: string[] = [];
  for (const name of options.names) {
    models[name] = await runModel(name, steps, options, controller.signal, (all) => {
      // As in the JSONL of the view Steering.
      rows.push(...all.map((answer) => JSON.stringify(anchorRecord(name, answer))));
    });
  }
  const { split, n, seed, kinds, attempts, threshold, temperature } = options;
  const settings = { kinds, attempts, threshold, temperature, constraint: null };
  const report: AnchorReport = { split, n, seed, settings, models };
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : formatAnchors(report));
  if (options.out !== null) writeFileSync(options.out, `${JSON.stringify(report, null, 1)}\n`);
  if (options.rows !== null) writeFileSync(options.rows, rows.map((line) => `${line}\n`).join(''));
  if (Object.values(models).some((model) => 'error' in model)) process.exitCode = 1;
}

/** Numbers of one model, or why there are none: the other runs all the same. */
async function runModel(
  name: AnchorModel,
  steps: readonly EvalStep[],
  options: AnchorOptions,
  signal: AbortSignal,
  keep: (all: AnchorAnswer[]) => void,
): Promise<ModelAnchors> {
  try {
    const { simulator, info, dispose } = await openSimulator(name, options.models, signal);
    try {
      const began = performance.now();
      const { kinds, seed, temperature, threshold, attempts } = options;
      const sampling = { seed, temperature, threshold, attempts, topP: 1 };
      const all = await runAnchors(simulator, steps, sampling, {
        kinds,
        signal,
        onStep: progressNotes(steps.length, (done) => `${name}: ${done} of ${steps.length} transitions`),
      });
      keep(all);
      if (!info) throw new RangeError('a model without info');
      const { version, runtime, provider, parameters } = info;
      const run = { version, runtime, provider, parameters, wallMs: performance.now() - began };
      return { run, outcomes: outcomesReport(all) };
    } finally {
      await dispose();
    }
  } catch (error) {
    signal.throwIfAborted();
    const failure = explain(name, options.models, error);
    note(`${name} does not run: ${failure.message} ${failure.advice}\n`);
    return { error: failure };
  }
}

await main().catch((error: unknown) => {
  note(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
