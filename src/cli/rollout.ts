/**
 * `npm run -s rollout -- --world support --simulator mdlm --agent expert --seed 1 --steps 10 --out FILE`: an agent acts
 * in lock-step lanes, and the run is written as the page writes it (docs/formats/wmtrace.md).
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { malformedAgent, noisyAgent, randomAgent } from '../agents';
import { loadTokenizer } from '../models/tokenizer';
import { driveRollout, footerLine, Rollout, traceLine, type Lane, type StepRecord } from '../rollouts';
import { createExpert, makeWorld } from '../twins';
import { callText } from '../world/codec';
import { formatDirectives } from '../world/directives';
import type { Agent } from '../world/simulator';
import type { World } from '../world/types';
import { explain, openSimulator, type ModelName } from './openSimulator';
import { parseRolloutArgs, ROLLOUT_USAGE, type RolloutOptions } from './rolloutOptions';

/** Keys of the draws, those of the page's lanes: one seed draws the same numbers here and there. */
const keyOf = (name: ModelName): number => (name === 'twin' ? 0 : name === 'mdlm' ? 1 : 2);

const note = (text: string) => process.stderr.write(text);

async function main(): Promise<void> {
  const options = parseRolloutArgs(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(`${ROLLOUT_USAGE}\n`);
    return;
  }
  // Stdout carries the record alone when it is asked for there.
  console.log = console.info = console.debug = console.error;
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('Stopped.')));

  const world = makeWorld(options.family, options.worldSeed, options.difficulty);
  const closing: (() => Promise<void>)[] = [];
  try {
    const lanes: Lane[] = [];
    for (const name of options.simulators) {
      const { lane, dispose } = await openLane(name, options, controller.signal);
      closing.push(dispose);
      lanes.push(lane);
    }
    await record(world, lanes, options, controller.signal);
  } finally {
    for (const dispose of closing) await dispose();
  }
}

/** A lane of the rollout. @throws Error that says why the model does not run and what to do about it */
async function openLane(name: ModelName, { models }: RolloutOptions, signal: AbortSignal) {
  try {
    const { simulator, info, dispose } = await openSimulator(name, models, signal);
    const lane: Lane = { id: name, simulator, options: { lane: keyOf(name) } };
    if (!info) return { lane, dispose };
    const tokenizer = await loadTokenizer(readFileSync(join(models, name, 'tokenizer.json'), 'utf8'));
    return { lane: { ...lane, model: () => info, tokenizer: () => tokenizer }, dispose };
  } catch (error) {
    signal.throwIfAborted();
    const { message, advice } = explain(name, models, error);
    throw new Error(`${name} does not run: ${message} ${advice}`, { cause: error });
  }
}

/** Runs the agent and writes each line as soon as it is known, so that a run that is cut off leaves what it has. */
async function record(world: World, lanes: Lane[], options: RolloutOptions, signal: AbortSignal): Promise<void> {
  const { seed, temperature, topP, threshold, directives, steps, lane } = options;
  const rollout = Rollout.start(world, lanes, { title: `${world.title}, ${options.agent}` });
  const file = openFile(options.out);
  const lines: string[] = [];
  const write = (line: string) => {
    lines.push(line);
    writeAll(file, line);
  };
  try {
    // Models are loaded before the first step, so the header is final.
    write(traceLine(rollout.header));
    await driveRollout(rollout, agentOf(world, options), {
      ...{ seed, temperature, topP, threshold, steps, lane, signal },
      directivesAt: (index) => directives[index] ?? [],
      onRow: (row) => {
        write(traceLine(row));
        note(describe(row, lanes));
        if (Object.values(row.results).some(({ failure }) => failure !== null)) process.exitCode = 1;
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    note(`Stopped after ${rollout.steps.length} steps; they are in the record.\n`);
    process.exitCode = 130;
  } finally {
    writeAll(file, await footerLine(lines));
    if (file !== process.stdout.fd) closeSync(file);
  }
  const done = lanes.map(({ id }) => `${id} ${rollout.isDone(id) ? 'done' : 'not done'}`).join(', ');
  note(
    `${rollout.steps.length} steps; the task is: ${done}.${options.out === '-' ? '' : ` Written to ${options.out}.`}\n`,
  );
}

function agentOf(world: World, { agent, seed, noise }: RolloutOptions): Agent {
  switch (agent) {
    case 'expert':
      return createExpert(world);
    case 'noisy':
      return noisyAgent(createExpert(world), noise, seed);
    case 'random':
      return randomAgent(seed);
    case 'malformed':
      return malformedAgent(seed);
    default:
      return agent satisfies never;
  }
}

function openFile(path: string): number {
  if (path === '-') return process.stdout.fd;
  try {
    return openSync(path, 'w');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The file ${path} cannot be written (${why}). Name one in a folder that exists.`, { cause: error });
  }
}

/** Writes all of a text; one call may take only a part of it, and a full pipe asks to try again. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

/** A row in one line, for people who watch. */
function describe({ index, action, directives, results }: StepRecord, lanes: readonly Lane[]): string {
  const parts = lanes.flatMap(({ id }) => {
    const result = results[id];
    if (!result) return [];
    if (!result.prediction) return [`${id} failed: ${result.failure?.message ?? ''} ${result.failure?.advice ?? ''}`];
    const { transition, cost } = result.prediction;
    return [`${id} ${transition.status}${cost.nfe > 0 ? ` (${cost.nfe} passes, ${Math.round(cost.ms)} ms)` : ''}`];
  });
  const steered = directives.length > 0 ? ` [${formatDirectives(directives)}]` : '';
  return `${index + 1}. ${callText(action)}${steered}: ${parts.join('; ')}\n`;
}

await main().catch((error: unknown) => {
  note(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
