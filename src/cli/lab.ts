/**
 * `npm run -s lab -- --spec FILE --out DIR`: a batch of rollouts without a page (docs/lab.md). Going on is the same command
 * again; what DIR holds of the batch is kept.
 */
import { dirname, join, resolve } from 'node:path';
import {
  aggregate,
  countJobs,
  DRAW_KEYS,
  LabError,
  LabRunner,
  tableFiles,
  writeResult,
  type LabLane,
  type LabModels,
  type LabProgress,
  type LabResults,
  type LabSpec,
} from '../rollouts/lab';
import { LabFolder } from './labFolder';
import { readSpecFile } from './labSpec';
import { LAB_USAGE, parseLabArgs, type LabCliOptions } from './labOptions';
import { explain, openSimulator, type OpenSimulator } from './openSimulator';

const note = (text: string) => process.stderr.write(text);

async function main(): Promise<void> {
  const options = parseLabArgs(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(`${LAB_USAGE}\n`);
    return;
  }
  // What libraries print belongs on stderr; stdout has the table.
  console.log = console.info = console.debug = console.error;
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => controller.abort(new Error('Stopped.')));
  }
  const spec = await readSpecFile(options.spec);
  const opened = new Map<string, OpenSimulator>();
  try {
    const { lanes, models } = await openLanes(spec, options, opened, controller.signal);
    const folder = await LabFolder.open(options.out, spec, models, options.fresh);
    try {
      await runBatch(spec, lanes, models, folder, options.out, controller.signal);
    } finally {
      folder.close();
    }
  } finally {
    for (const { dispose } of opened.values()) await dispose();
  }
}

/** Opens each model once, however many simulators of the spec use it. */
async function openLanes(
  spec: LabSpec,
  { spec: file, models: given }: LabCliOptions,
  opened: Map<string, OpenSimulator>,
  signal: AbortSignal,
): Promise<{ lanes: { [id: string]: LabLane }; models: LabModels }> {
  const lanes: { [id: string]: LabLane } = {};
  const models: LabModels = {};
  const beside = (folder: string) => resolve(dirname(file), folder);
  for (const { id, kind, models: own } of spec.simulators) {
    const folder = own !== null ? beside(own) : (given ?? (spec.models === null ? 'models' : beside(spec.models)));
    const key = kind === 'twin' ? kind : join(folder, kind);
    let open = opened.get(key);
    if (!open) {
      try {
        open = await openSimulator(kind, folder, signal);
      } catch (error) {
        signal.throwIfAborted();
        const { code, message, advice } = explain(kind, folder, error);
        throw new LabError('no_simulator', `${id} does not run (${code}): ${message}`, advice, { cause: error });
      }
      opened.set(key, open);
    }
    const { simulator, info } = open;
    lanes[id] = { simulator, options: { lane: DRAW_KEYS[kind] }, model: () => info };
    models[id] = info;
  }
  return { lanes, models };
}

async function runBatch(
  spec: LabSpec,
  lanes: { [id: string]: LabLane },
  models: LabModels,
  folder: LabFolder,
  out: string,
  signal: AbortSignal,
): Promise<void> {
  if (folder.done > 0) note(`${folder.done} of ${countJobs(spec)} rollouts are done already.\n`);
  const runner = new LabRunner(spec, lanes, folder, { signal, onProgress: progressNote() });
  let stopped: unknown = null;
  try {
    await runner.run();
  } catch (error) {
    stopped = error;
    process.exitCode = signal.aborted ? 130 : 1;
  }
  // Also of a batch that stopped: what is done can be looked at, and the report says how much that is.
  const { results, timings } = await aggregate(spec, folder.records(), models);
  for (const [name, text] of Object.entries(tableFiles(results, timings))) folder.write(name, text);
  folder.write('results.wmresult.json', await writeResult(spec, folder.records(), models));
  process.stdout.write(summary(results));
  const { done, total } = results.jobs;
  if (stopped === null)
    return void note(`${done} of ${total} rollouts. Written to ${out}: open ${join(out, 'report.html')}.\n`);
  if (!signal.aborted) note(`${explainError(stopped)}\n`);
  note(`Stopped with ${done} of ${total} rollouts done; the same command goes on.\n`);
}

/** Notes on stderr how far the batch is, at most every ten seconds, and at its end. */
function progressNote(): (progress: LabProgress) => void {
  let last = 0;
  return ({ done, total, workedMs, leftMs }) => {
    if (workedMs - last < 10_000 && done < total) return;
    last = workedMs;
    const left = leftMs === null || done === total ? '' : `, about ${Math.ceil(leftMs / 1000)} s left`;
    note(`${done} of ${total} rollouts, ${(workedMs / 1000).toFixed(1)} s${left}\n`);
  };
}

/** The tables' heads as text. */
function summary({ simulators }: LabResults): string {
  const share = ({ mean, sum, n }: { mean: number | null; sum: number; n: number }) =>
    mean === null ? 'none' : `${mean.toFixed(3)} (${sum} of ${n})`;
  const rows = Object.entries(simulators).flatMap(([id, { all, families }]) =>
    Object.entries({ all, ...families }).map(([family, table]) => {
      const exact = table.metrics['answerExact'];
      return [id, family, String(table.n), share(table.success), exact ? share(exact) : 'none', share(table.diverged)];
    }),
  );
  const all = [['simulator', 'family', 'rollouts', 'success', 'exact answers', 'diverged'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function explainError(error: unknown): string {
  if (error instanceof LabError) return `${error.message}\n${error.advice}`;
  return error instanceof Error ? error.message : String(error);
}

await main().catch((error: unknown) => {
  note(`${explainError(error)}\n`);
  process.exitCode = 1;
});
