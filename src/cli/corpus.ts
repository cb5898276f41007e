/**
 * `npm run corpus -- --out DIR --size N --seed S`: trajectories in twins as a packed training corpus.
 * Formats: docs/formats/model-folder.md.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTokenizer, tokenizerFile, trainMerges, type BpeTokenizer } from '../models/tokenizer';
import { pieces } from '../models/tokenizer/bpe';
import {
  answerText,
  callText,
  codecJson,
  CODEC_VERSION,
  directivesText,
  encodeAnswer,
  encodeCall,
  encodeWorld,
  worldText,
  type Tokenizer,
} from '../world/codec';
import { Rng } from '../world/rng';
import type { Context } from '../world/types';
import { trajectory, type Split, type Trajectory, type TrajectoryStep } from './trajectories';

const VOCAB_SIZE = 2048;
/** Trajectories whose text the tokenizer is trained on. */
const TOKENIZER_SAMPLE = 3000;
const MAX_DOCUMENT = 512;
const MAX_SLOTS = { observation: 95, delta: 47, status: 3 };
/** Share of the training documents encoded with BPE dropout, and the rate in them. */
const DROPOUT = { share: 0.4, rate: 0.1 };

interface Counts {
  trajectories: number;
  documents: number;
  transitions: number;
  tokens: number;
  /** Steps left out because they were longer than the layout allows. */
  skipped: number;
  errors: number;
  changed: number;
  directed: number;
  families: { [family: string]: number };
}

const USE = 'Use: npm run corpus -- --out DIR --size N --seed S [--tokenizer FILE]; N counts training trajectories.';

function readOptions() {
  try {
    return parseArgs({
      options: {
        out: { type: 'string' },
        size: { type: 'string', default: '2000' },
        seed: { type: 'string', default: '1' },
        tokenizer: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${USE}`, { cause: error });
  }
}

async function main(): Promise<void> {
  const values = readOptions();
  const size = Number(values.size);
  const seed = Number(values.seed);
  if (values.out === undefined || !Number.isInteger(size) || size < 1 || !Number.isInteger(seed)) {
    throw new Error(USE);
  }
  mkdirSync(values.out, { recursive: true });
  const file = values.tokenizer === undefined ? await newTokenizer(seed) : readFileSync(values.tokenizer, 'utf8');
  writeFileSync(join(values.out, 'tokenizer.json'), file);
  const tokenizer = await loadTokenizer(file);

  const held = Math.min(Math.max(Math.round(size / 20), 100), 1000);
  const splits: { [split: string]: Counts } = {};
  for (const [split, n] of [
    ['valid', held],
    ['test', held],
    ['unseen', held],
    ['train', size],
  ] as const) {
    splits[split] = await writeSplit(values.out, split, n, seed, tokenizer);
    process.stdout.write(`${split}: ${JSON.stringify(splits[split])}\n`);
  }
  const meta = {
    codec: CODEC_VERSION,
    seed,
    size,
    vocabSize: tokenizer.vocabSize,
    splits,
    tokenizerSha256: createHash('sha256').update(file).digest('hex'),
  };
  writeFileSync(join(values.out, 'meta.json'), `${JSON.stringify(meta, null, 1)}\n`);
}

/** A tokenizer trained on the text of the first training trajectories. Bytes alone decide where these fold. */
async function newTokenizer(seed: number): Promise<string> {
  const bytes = await loadTokenizer(tokenizerFile([]));
  const rough: Tokenizer = {
    ...bytes,
    vocabSize: bytes.vocabSize,
    sha256: '',
    encode: (text) => pieces(text).map(() => 0),
    decode: () => '',
  };
  const counts = new Map<string, number>();
  const count = (text: string) => {
    for (const piece of pieces(text)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  };
  for (let i = 0; i < TOKENIZER_SAMPLE; i++) {
    for (const [context, steps] of documents(await trajectory('train', i, seed))) {
      Object.values(worldText(context.world)).forEach(count);
      for (const { directives, action, transition } of steps) {
        [directivesText(directives), callText(action), ...Object.values(answerText(transition))].forEach(count);
      }
    }
  }
  return tokenizerFile(trainMerges(counts, VOCAB_SIZE));
}

/** Steps of a trajectory by the context they start from: each fold begins a new document. */
function documents({ steps }: Trajectory): [Context, TrajectoryStep[]][] {
  const out: [Context, TrajectoryStep[]][] = [];
  for (const step of steps) {
    if (step.context.history.length === 0) out.push([step.context, []]);
    out.at(-1)?.[1].push(step);
  }
  return out;
}

async function writeSplit(
  out: string,
  split: Split,
  n: number,
  seed: number,
  tokenizer: BpeTokenizer,
): Promise<Counts> {
  const counts: Counts = {
    trajectories: n,
    documents: 0,
    transitions: 0,
    tokens: 0,
    skipped: 0,
    errors: 0,
    changed: 0,
    directed: 0,
    families: {},
  };
  const packed = openSync(join(out, `${split}.bin`), 'w');
  const readable = openSync(join(out, `${split}.jsonl`), 'w');
  for (let i = 0; i < n; i++) {
    const run = await trajectory(split, i, seed);
    documents(run).forEach(([context, steps], part) => {
      const rng = Rng.of('dropout', split, seed, i, part);
      const dropout = split === 'train' && rng.chance(DROPOUT.share);
      const encoder = dropout ? tokenizer.withDropout(DROPOUT.rate, () => rng.next()) : tokenizer;
      let kept = encodeDocument(context, steps, encoder);
      // Dropout makes text longer; where it no longer fits the layout, the document goes in as it is.
      if (kept.steps.length < steps.length) kept = encodeDocument(context, steps, tokenizer);
      counts.skipped += steps.length - kept.steps.length;
      if (kept.steps.length === 0) return;
      writeSync(packed, new Uint8Array(Uint16Array.from(kept.ids).buffer));
      writeSync(readable, `${JSON.stringify(readableDocument(run, context, kept.steps))}\n`);
      counts.documents++;
      counts.tokens += kept.ids.length;
      counts.transitions += kept.steps.length;
      counts.families[run.family] = (counts.families[run.family] ?? 0) + kept.ids.length;
      for (const { transition, directives } of kept.steps) {
        if (transition.status !== 'ok') counts.errors++;
        if (Object.keys(transition.delta).length > 0) counts.changed++;
        if (directives.length > 0) counts.directed++;
      }
    });
  }
  closeSync(packed);
  closeSync(readable);
  return counts;
}

/** Tokens of a document, up to the first step that would break a bound of the layout. */
function encodeDocument(context: Context, steps: TrajectoryStep[], tokenizer: Tokenizer) {
  const ids = encodeWorld(context.world, tokenizer);
  const kept: TrajectoryStep[] = [];
  for (const step of steps) {
    const text = answerText(step.transition);
    const turn = [...encodeCall(step.directives, step.action, tokenizer), ...encodeAnswer(text, tokenizer)];
    const slots = Object.entries(MAX_SLOTS) as [keyof typeof MAX_SLOTS, number][];
    const fits = slots.every(([slot, most]) => tokenizer.encode(text[slot]).length <= most);
    if (!fits || ids.length + turn.length > MAX_DOCUMENT) break;
    ids.push(...turn);
    kept.push(step);
  }
  return { ids, steps: kept };
}

function readableDocument(run: Trajectory, context: Context, steps: TrajectoryStep[]) {
  return {
    family: run.family,
    world: run.world.id,
    behaviour: run.behaviour,
    ...worldText(context.world),
    turns: steps.map(({ directives, action, transition }) => ({
      directives: directivesText(directives),
      call: callText(action),
      ...answerText(transition),
    })),
    checks: codecJson(run.world.task.checks),
  };
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
