/**
 * `npm run -s twins -- --check [--family NAME] [--quick] [--json]`: what every family of twins promises, checked at full
 * size (docs/adding-a-twin.md). Without `--check` it lists the families; `--show NAME` prints a world of one.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadTokenizer } from '../models/tokenizer';
import { createExpert, makeWorld } from '../twins';
import type { Family } from '../twins/kit/types';
import { EXECUTABLE, familyOf } from '../twins/registry';
import { formatCheck } from '../world/checks';
import { answerText, callText, encodeWorld, estimateTokens, SLOT_SIZES, worldText, worldTokens } from '../world/codec';
import { SLOTS, type World } from '../world/types';
import {
  checkEdits,
  checkExpert,
  checkFuzz,
  checkLaw,
  checkRules,
  checkRuns,
  checkSchemas,
  checkSteering,
  measure,
} from './twins/checks';
import { walk } from './twins/explore';

const USE =
  'Use: npm run -s twins -- --check [--family NAME] [--quick] [--json], or --show NAME [--seed S] [--difficulty D].';
const TOKENIZER = 'models/ar/tokenizer.json';
/** Bounds of DESIGN §1 and §3. */
const MAX_PROMPT = 640;
const MAX_RESPONSE = 160;

interface Measures {
  tokens(text: string): number;
  prompt(world: World): number;
}

/** Real tokens where the shipped tokenizer is at hand, otherwise the codec's estimate. */
async function measures(): Promise<Measures> {
  if (!existsSync(TOKENIZER)) return { tokens: estimateTokens, prompt: worldTokens };
  const tokenizer = await loadTokenizer(readFileSync(TOKENIZER, 'utf8'));
  return {
    tokens: (text) => tokenizer.encode(text).length,
    prompt: (world) => encodeWorld(world, tokenizer).length,
  };
}

async function check(family: Family, scale: number, { tokens, prompt }: Measures) {
  const size = (full: number) => Math.max(Math.ceil(full * scale), 20);
  const wrong: string[] = [];
  const tasks = [];
  for (const difficulty of [1, 2, 3]) {
    const result = await checkExpert(family, size(200), difficulty);
    if (result.solved < 0.95 * result.of) wrong.push(...result.wrong);
    if (result.templates.length < 4) wrong.push(`only ${result.templates.join(', ')} at difficulty ${difficulty}`);
    tasks.push(result);
  }
  const schemas = await checkSchemas(family, size(300));
  const law = await checkLaw(family, size(100));
  const rules = await checkRules(family, size(800));
  const fuzz = checkFuzz(family, size(10_000));
  const runs = await checkRuns(family, size(2000));
  const others = [rules, await checkSteering(family, size(60)), await checkEdits(family, size(250)), runs];
  const sizes = await measure(family, size(200), tokens, prompt);
  if (sizes.maxPromptTokens > MAX_PROMPT) wrong.push(`block 0 has up to ${sizes.maxPromptTokens} tokens`);
  if (sizes.maxResponseTokens > MAX_RESPONSE)
    wrong.push(`a response has up to ${sizes.maxResponseTokens}: ${sizes.longest}`);
  for (const slot of SLOTS)
    if (sizes.slots[slot] >= Math.max(...SLOT_SIZES[slot]))
      wrong.push(`${slot} has up to ${sizes.slots[slot]} tokens: ${sizes.longest}`);
  return {
    expertSolved: Math.min(...tasks.map(({ solved, of }) => solved / of)),
    templates: [...new Set(tasks.flatMap(({ templates }) => templates))],
    lawHolds: law.wrong.length === 0,
    schemaValid: schemas.wrong.length === 0,
    rules: rules.rules,
    fuzzed: fuzz.fuzzed,
    steps: runs.steps,
    maxPromptTokens: sizes.maxPromptTokens,
    maxResponseTokens: sizes.maxResponseTokens,
    wrong: [...wrong, ...[schemas, law, fuzz, ...others].flatMap((result) => result.wrong)],
  };
}

/** One world as people and models see it, and the expert's way through it. */
async function show(name: string, seed: number, difficulty: number): Promise<string> {
  const world = makeWorld(name, seed, difficulty);
  const text = worldText(world);
  const lines = [text.rules, '', text.tools, '', text.state, '', text.task, ...world.task.checks.map(formatCheck), ''];
  await walk(
    world,
    createExpert(world),
    12,
    ({ action, transition }) => {
      const { observation, delta, status } = answerText(transition);
      lines.push(`${callText(action)}\n  ${observation.replaceAll('\n', '\n  ')}\n  ${delta} ${status}`);
    },
    true,
  );
  return `${lines.join('\n')}\n(about ${worldTokens(world)} tokens in block 0)\n`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      family: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      show: { type: 'string' },
      seed: { type: 'string', default: '1' },
      difficulty: { type: 'string', default: '2' },
    },
  });
  if (values.show !== undefined) {
    process.stdout.write(await show(values.show, Number(values.seed), Number(values.difficulty)));
    return;
  }
  const families = values.family === undefined ? EXECUTABLE : values.family.split(',').map(familyOf);
  if (!values.check) {
    for (const { name, line, heldOut } of families)
      process.stdout.write(`${name}${heldOut ? ' (held out)' : ''}: ${line}\n`);
    process.stdout.write(`${USE}\n`);
    return;
  }
  const measure = await measures();
  const results: { [family: string]: Awaited<ReturnType<typeof check>> } = {};
  for (const family of families) {
    const result = await check(family, values.quick ? 0.1 : 1, measure);
    results[family.name] = result;
    if (result.wrong.length > 0) process.exitCode = 1;
    if (values.json) continue;
    const { wrong, ...rest } = result;
    process.stdout.write(
      `${family.name}: ${JSON.stringify(rest)}\n${wrong.map((line) => `  WRONG ${line.slice(0, 700)}\n`).join('')}`,
    );
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USE}\n`);
  process.exitCode = 1;
});
