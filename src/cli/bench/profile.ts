/**
 * `npx tsx src/cli/bench/profile.ts [--models DIR] [--steps N]`: time by kind of operator in the answers of both
 * models, on WebAssembly with one thread in Node. The profiler itself takes time at every operator, so that many small ones
 * weigh more than without it; docs/bench.md has what a run printed.
 */
import fs from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSimulator, type ModelSimulator } from '../../models';
import { messageOf } from '../../models/errors';
import { FileSource } from '../../models/fileSource.node.ts';
import { loadOrt, type Ort } from '../../models/ort';
import { finishStep, type BatchItem } from '../../world/simulator';
import { readersOf, whole } from '../arguments';
import { formatOperators, profileOf, readProfile } from './operators';
import { itemOf, sampleSteps } from './sample';

const SEED = 1;
const WARMUP = 3;

const TITLES = {
  ar: ['AR, the prompt and the first token of an answer', 'AR, each further token'],
  mdlm: ['MDLM, the prompt and the first draft of an answer', 'MDLM, each further pass'],
} as const;

type Session = Awaited<ReturnType<Ort['InferenceSession']['create']>>;

/** Lines the runtime wrote to the standard output: its profiler has no other way out of WebAssembly. */
const printed: string[] = [];
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Sessions that are made from now on are profiled, and counted how often they run. */
function watch({ InferenceSession: sessions }: Ort): { session: Session; runs: number }[] {
  const made: { session: Session; runs: number }[] = [];
  const create = sessions.create.bind(sessions) as (bytes: Uint8Array, options: object) => Promise<Session>;
  const profiled = async (bytes: Uint8Array, options: object) => {
    const session = await create(bytes, { ...options, enableProfiling: true });
    const one = { session, runs: 0 };
    const run = session.run.bind(session) as (...args: unknown[]) => ReturnType<Session['run']>;
    session.run = (...args: unknown[]) => {
      one.runs++;
      return run(...args);
    };
    made.push(one);
    return session;
  };
  Object.assign(sessions, { create: profiled });
  return made;
}

async function answer(simulator: ModelSimulator, items: readonly BatchItem[]) {
  const costs = [];
  for (const { context, action, options } of items)
    costs.push((await finishStep(simulator.step(context, action, options))).cost);
  return costs;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { models: { type: 'string', default: 'models' }, steps: { type: 'string', default: '20' } },
  });
  const { number } = readersOf((message) => new Error(`${message}. Use: profile.ts [--models DIR] [--steps N]`));
  const count = number('steps', values.steps, whole(1, 500), 'a whole number from 1 to 500');
  const write = fs.writeSync.bind(fs) as (...args: unknown[]) => number;
  fs.writeSync = (...args: unknown[]) => {
    if (args[0] !== 1) return write(...args);
    return printed.push(String(args[1]).trimEnd());
  };
  const made = watch(await loadOrt('wasm'));
  const steps = await sampleSteps(count + WARMUP, SEED);
  const items = steps.map((step) => itemOf(step, SEED));
  for (const kind of ['ar', 'mdlm'] as const) {
    const source = new FileSource(join(resolve(values.models), kind));
    const simulator = await loadSimulator({ source, provider: 'wasm' });
    const session = made.at(-1);
    if (!session) throw new Error('No session was made.');
    await answer(simulator, items.slice(count));
    session.runs = 0;
    const costs = await answer(simulator, items.slice(0, count));
    printed.length = 0;
    session.session.endProfiling();
    const { passes, ms, prompt, loop, turns } = profileOf(readProfile(printed.join('\n')), session.runs);
    await simulator.dispose();
    const tokens = costs.reduce((sum, { forwardTokens }) => sum + forwardTokens, 0);
    const per = (x: number) => (x / count).toFixed(1);
    say(
      `${kind} ${simulator.info.version}: ${count} answers; each ${per(passes)} calls, ${per(tokens)} positions, ${per(ms)} ms`,
    );
    const [first, further] = TITLES[kind];
    say(formatOperators(first, prompt, count));
    say(`\n${formatOperators(further, loop, turns)}\n`);
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
