/**
 * `npm run corpus -- --out DIR --size N --seed S`: trajectories in twins as a packed training corpus.
 * `npm run -s corpus -- --stats [--json]`: what the mix consists of, family by family.
 * Formats: docs/formats/model-folder.md.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTokenizer, tokenizerFile, trainMerges, type BpeTokenizer } from '../models/tokenizer';
import { pieces } from '../models/tokenizer/bpe';
import { answerText, callText, CODEC_VERSION, directivesText, worldText } from '../world/codec';
import { Rng } from '../world/rng';
import { documents, encodeDocument, readableDocument } from './corpusDocuments';
import { corpusStats, statsTable } from './corpusStats';
import { trajectory, type Split } from '../rollouts/trajectories';

const VOCAB_SIZE = 3072;
/** Trajectories whose text the tokenizer is trained on. */
const TOKENIZER_SAMPLE = 3000;
/** Share of the training documents encoded with BPE dropout, and the rate in them. */
const DROPOUT = { share: 0.4, rate: 0.1 };
/** Share of the training turns whose directives are not told, so that guidance has a model without them. */
const HIDDEN_SHARE = 0.1;

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

const USE =
  'Use: npm run corpus -- --out DIR --size N --seed S [--tokenizer FILE], or -- --stats [--size N] [--json]; ' +
  'N counts training trajectories.';
/** The shipped tokenizer, by which `--stats` counts tokens. */
const TOKENIZER = 'models/ar/tokenizer.json';

function readOptions() {
  try {
    return parseArgs({
      options: {
        out: { type: 'string' },
        size: { type: 'string', default: '2000' },
        seed: { type: 'string', default: '1' },
        tokenizer: { type: 'string' },
        stats: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
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
  if (!Number.isInteger(size) || size < 1 || !Number.isInteger(seed)) throw new Error(USE);
  if (values.stats) {
    const tokenizer = await loadTokenizer(readFileSync(values.tokenizer ?? TOKENIZER, 'utf8'));
    const stats = await corpusStats(size, seed, tokenizer);
    process.stdout.write(values.json ? `${JSON.stringify({ families: stats })}\n` : statsTable(stats));
    return;
  }
  if (values.out === undefined) throw new Error(USE);
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

/** A tokenizer trained on the text of the first training trajectories. */
async function newTokenizer(seed: number): Promise<string> {
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
      const hidden = new Set(steps.flatMap((_, step) => (split === 'train' && rng.chance(HIDDEN_SHARE) ? [step] : [])));
      let kept = encodeDocument(context, steps, encoder, hidden);
      // Dropout makes text longer; where it no longer fits the layout, the document goes in as it is.
      if (kept.steps.length < steps.length) kept = encodeDocument(context, steps, tokenizer, hidden);
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

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
