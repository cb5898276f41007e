/** The transitions of a bench: teacher-forced, of the split `test`, as `npm run eval` walks them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSampler, parseConfig } from '../../models';
import { promptBlocks } from '../../models/prompt';
import { loadTokenizer } from '../../models/tokenizer';
import { RESP } from '../../world/codec';
import { isObject, parseJson } from '../../world/json';
import { hash32 } from '../../world/rng';
import { DEFAULT_STEP_OPTIONS, type BatchItem, type SamplerChoice } from '../../world/simulator';
import { trajectory, type EvalStep } from '../../rollouts/trajectories';
import { collectSteps } from '../evaluate';
import type { ModelShape } from './roofline';

/** First trajectory that lanes walk: none of those that exactness is measured on. */
const LANE_RUNS = 5000;

export interface Folder {
  shape: ModelShape;
  version: string;
  sha256: string;
  parameters: number;
  /** Token ids of what stands before an answer, `<resp>` included. */
  prompt(item: BatchItem): number[];
}

/** What the bench needs to know of a model folder. */
export async function readFolder(folder: string): Promise<Folder> {
  const text = readFileSync(join(folder, 'config.json'), 'utf8');
  const config = parseConfig(text);
  const raw = parseJson(text);
  const size = (key: string) => Number(raw.ok && isObject(raw.value) ? raw.value[key] : NaN);
  const tokenizer = await loadTokenizer(readFileSync(join(folder, 'tokenizer.json'), 'utf8'));
  const { layers, heads, headDim, vocabSize: vocab, version, parameters } = config;
  return {
    shape: { layers, heads, headDim, vocab, hidden: size('hidden_size'), inner: size('intermediate_size') },
    ...{ version, parameters, sha256: config.files['onnx/model.onnx']?.sha256 ?? '' },
    prompt: ({ context, action, options }) => [
      ...promptBlocks(context, action, options, tokenizer, config.maxPositions, 0).flat(),
      RESP,
    ],
  };
}

/** A step as `npm run eval` asks a model for it. */
export function itemOf(
  step: EvalStep,
  seed: number,
  sampler: SamplerChoice = openSampler({ name: 'speculative' }).choice,
): BatchItem {
  const { context, action, directives, run, index } = step;
  const options = { ...DEFAULT_STEP_OPTIONS, seed: hash32(seed, run), step: index, directives };
  return { context, action, options: { ...options, sampler } };
}

/** A step of which no other prompt has more than the first tokens: answering it empties the cache of all else. */
export function coldItem(step: EvalStep, seed: number): BatchItem {
  const item = itemOf(step, seed);
  return { ...item, context: { world: { ...item.context.world, rules: [], tools: [], state: {} }, history: [] } };
}

/** Steps that exactness and times are measured on. */
export function sampleSteps(n: number, seed: number): Promise<EvalStep[]> {
  return collectSteps('test', n, seed);
}

/** Worlds that lanes go through, with the first steps of each; shorter trajectories are passed over. */
export async function laneWorlds(worlds: number, steps: number, seed: number): Promise<BatchItem[][]> {
  const out: BatchItem[][] = [];
  for (let run = LANE_RUNS; out.length < worlds; run++) {
    const { family, behaviour, steps: all } = await trajectory('test', run, seed);
    if (all.length < steps) continue;
    const first = all.slice(0, steps).map((one, index) => {
      const { directives, action, context, transition: truth } = one;
      return itemOf({ run, index, family, behaviour, directives, action, context, truth }, seed);
    });
    if (first.length === steps) out.push(first);
  }
  return out;
}
