/**
 * `npm run -s eval -- --split test|unseen --n 300 --seed 1 --json`: how often simulators answer as the twin does, on
 * trajectories walked teacher-forced. Definitions of the numbers: src/metrics/score.ts and summary.ts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyNothing, mostFrequent, summarize } from '../metrics';
import { loadTokenizer, type BpeTokenizer } from '../models/tokenizer';
import type { EvalStep } from '../rollouts/trajectories';
import { EVAL_USAGE, parseEvalArgs, type EvalOptions } from './evalOptions';
import { formatExamples, formatReport, type ModelReport, type Report } from './evalReport';
import { answered, collectSteps, constraintSums, countOverLayout, evaluate, type Answered } from './evaluate';
import { explain, openSimulator, type ModelName } from './openSimulator';
import { progressNotes } from './progress';

/** Training transitions that the most frequent answers are counted on. */
const FREQUENT_EXAMPLES = 3000;

const note = (text: string) => process.stderr.write(text);

async function main(): Promise<void> {
  const options = parseEvalArgs(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(`${EVAL_USAGE}\n`);
    return;
  }
  // Stdout carries the result alone, whatever the runtimes have to say.
  console.log = console.info = console.debug = console.error;
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('Stopped; nothing was written.')));

  const own = await tokenizerOf(options);
  const steps = await collectSteps(options.split, options.n, options.sampling.seed);
  const results = new Map<string, Answered[]>();
  const models: Report['models'] = {};
  const tokenizerSha256 = own?.sha256 ?? null;
  for (const name of options.names) {
    models[name] = await runModel(name, steps, options, results, controller.signal);
  }
  const began = performance.now();
  const nothing = steps.map((step) => answered(step, copyNothing()));
  results.set('copyNothing', nothing);
  models['copyNothing'] = { ...summarize(nothing.map(({ row }) => row)), run: { wallMs: performance.now() - began } };
  models['mostFrequent'] = await frequentReport(steps, options.sampling.seed);

  const { split, n } = options;
  const { seed, ...settings } = options.sampling;
  const { temperature, topP, threshold } = settings;
  const overLayout = own && countOverLayout(steps, own);
  write(
    { split, n, seed, temperature, topP, threshold, settings, overLayout, tokenizerSha256, models },
    results,
    options,
  );
  if (Object.values(models).some((model) => 'error' in model)) process.exitCode = 1;
}

/** The tokenizer of the models, by which answers are measured against the layout; null where there is none. */
async function tokenizerOf({ models }: EvalOptions): Promise<BpeTokenizer | null> {
  const own = ['ar', 'mdlm'].map((kind) => join(models, kind, 'tokenizer.json'));
  const file = own.find((path) => existsSync(path));
  return file === undefined ? null : loadTokenizer(readFileSync(file, 'utf8'));
}

/** Numbers of the most frequent answer, counted on training transitions (of trained families: others get what is most frequent). */
async function frequentReport(steps: readonly EvalStep[], seed: number): Promise<ModelReport> {
  const began = performance.now();
  const answer = mostFrequent(await collectSteps('train', FREQUENT_EXAMPLES, seed));
  const all = steps.map((step) => answered(step, answer(step.family, step.action, step.directives)));
  return { ...summarize(all.map(({ row }) => row)), run: { wallMs: performance.now() - began } };
}

/** Numbers of one model, or why there are none: the others run all the same. */
async function runModel(
  name: ModelName,
  steps: readonly EvalStep[],
  options: EvalOptions,
  results: Map<string, Answered[]>,
  signal: AbortSignal,
): Promise<ModelReport> {
  const began = performance.now();
  try {
    const { simulator, info, dispose } = await openSimulator(name, options.models, signal);
    const loadMs = performance.now() - began;
    try {
      const onAnswer = progressNotes(steps.length, (done, ms) => {
        const each = (ms / done).toFixed(0);
        return `${name}: ${done} of ${steps.length}, ${(ms / 1000).toFixed(0)} s, ${each} ms each`;
      });
      const all = await evaluate(simulator, steps, options.sampling, { signal, onAnswer });
      results.set(name, all);
      const constraint = constraintSums(all);
      const run = { loadMs, wallMs: performance.now() - began - loadMs, ...(constraint ? { constraint } : {}) };
      if (!info) return { ...summarize(all.map(({ row }) => row)), run };
      const { version, runtime, provider, parameters } = info;
      return { ...summarize(all.map(({ row }) => row)), run: { version, runtime, provider, parameters, ...run } };
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

function write(report: Report, results: Map<string, Answered[]>, options: EvalOptions): void {
  const examples = [...results].filter(([name]) => options.show > 0 && name !== 'copyNothing');
  const shown = examples.map(([name, all]) => formatExamples(name, all, options.show, options.wrongOnly)).join('\n');
  if (options.json) {
    note(shown);
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } else {
    process.stdout.write(`${shown}${shown ? '\n' : ''}${formatReport(report)}`);
  }
  if (options.out !== null) writeFileSync(options.out, `${JSON.stringify(report, null, 1)}\n`);
  if (options.rows !== null) {
    const lines = [...results].flatMap(([model, all]) =>
      all.map(({ step, answer, row }) => {
        const { run, index, family, behaviour } = step;
        return JSON.stringify({
          model,
          run,
          index,
          family,
          behaviour,
          ...row.score,
          cost: row.cost,
          text: answer.text,
        });
      }),
    );
    writeFileSync(options.rows, lines.map((line) => `${line}\n`).join(''));
  }
}

await main().catch((error: unknown) => {
  note(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
