/**
 * `npm run -s steering -- --model twin|ar|mdlm|all --models DIR --worlds N --json`: whether simulators follow directives, what
 * they damage on the way, and whether the rest of an answer fits a value that was pinned. The loop and the tables are those of
 * the page's view Steering (docs/steering.md).
 */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import type { Lane } from '../rollouts';
import { DRAW_KEYS, type LabModels } from '../rollouts/lab';
import { countParts, factsOf, steeringParts, steeringTables, type SteeringItem } from '../rollouts/steering';
import { writeSuite } from '../rollouts/suites';
import { openSimulators } from './openSimulator';
import { progressNotes } from './progress';
import { parseSteeringArgs, STEERING_USAGE, type SteeringOptions } from './steeringOptions';
import { formatSteering, type SteeringReport } from './steeringReport';

const note = (text: string) => process.stderr.write(text);

async function main(): Promise<void> {
  const options = parseSteeringArgs(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(`${STEERING_USAGE}\n`);
    return;
  }
  // Stdout carries the result alone, whatever the runtimes have to say.
  console.log = console.info = console.debug = console.error;
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('Stopped; there is no table of a part.')));
  const { opened, errors, dispose } = await openSimulators(options.names, options.models, controller.signal);
  try {
    const { suite, temperature, threshold } = options;
    const models: LabModels = Object.fromEntries(opened.map(({ name, info }) => [name, info]));
    const lanes = opened.map(({ name, simulator }): Lane => {
      return { id: name, simulator, options: { lane: DRAW_KEYS[name], temperature, threshold } };
    });
    const items = lanes.length > 0 ? await run(lanes, options, controller.signal) : [];
    const ids = lanes.map(({ id }) => id);
    const tables = steeringTables(factsOf(items), ids);
    const report: SteeringReport = { spec: suite, temperature, threshold, models, errors, ...tables };
    process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : formatSteering(report, options.columns));
    if (options.save !== null) save(options.save, options, models, items, tables);
    if (Object.keys(errors).length > 0) process.exitCode = 1;
  } finally {
    await dispose();
  }
}

/** The suite; each answer goes to the file as soon as it is there. */
async function run(lanes: Lane[], { suite, out }: SteeringOptions, signal: AbortSignal): Promise<SteeringItem[]> {
  const file = out === null ? null : openSync(out, 'w');
  const ids = lanes.map(({ id }) => id);
  const say = progressNotes(
    countParts(suite, ids),
    (done, ms) => `${done} of ${countParts(suite, ids)} parts, ${(ms / 1000).toFixed(0)} s`,
  );
  const items: SteeringItem[] = [];
  try {
    for await (const { done, records } of steeringParts(suite, lanes, { signal })) {
      items.push(...records);
      if (file !== null) for (const record of records) writeSync(file, `${JSON.stringify(record)}\n`);
      say(done);
    }
    return items;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The run as one file, as the page saves it. */
function save(
  path: string,
  { names, suite, temperature, threshold }: SteeringOptions,
  models: LabModels,
  items: readonly SteeringItem[],
  tables: object,
): void {
  const ran = names.filter((name) => name in models);
  const simulators = ran.map((name) => ({
    ...{ id: name, kind: name, models: null },
    options: name === 'twin' ? {} : { temperature, threshold },
  }));
  const total = countParts(suite, ran);
  const title = `Steering: ${ran.join(', ')}`;
  const createdAt = new Date().toISOString();
  const head = { suite: 'steering' as const, title, createdAt, spec: suite, simulators, provider: 'wasm' as const };
  writeFileSync(path, writeSuite({ ...head, models, total, done: total }, items, tables).join(''));
}

await main().catch((error: unknown) => {
  note(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
