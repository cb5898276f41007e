/** `config.json` of a model folder: what the runtime needs of it, checked field by field (docs/formats/model-folder.md). */
import { CODEC_VERSION, SLOT_SIZES } from '../world/codec';
import { isObject, parseJson, type Json, type JsonObject } from '../world/json';
import { SLOTS } from '../world/types';
import { ModelError } from './errors';

export type ModelKind = 'ar' | 'mdlm';

/** Size and hash of a file of the folder. */
export interface FileEntry {
  bytes: number;
  /** SHA-256, lower-case hex. */
  sha256: string;
}

/** One golden logit of the load-time self-test. */
export interface LogitCheck {
  position: number;
  token: number;
  logit: number;
}

export interface ModelConfig {
  kind: ModelKind;
  version: string;
  codec: number;
  /** The prediction for a place is read at the place before it (MDLM only; AR always does). */
  shift: boolean;
  /** Tokens of the prompt see those before them only, not their whole block (MDLM only; AR always does). */
  causalPrefix: boolean;
  tokenizerSha256: string;
  files: { [path: string]: FileEntry };
  selfTest: { inputIds: number[]; blockIds: number[]; checks: LogitCheck[] };
  layers: number;
  heads: number;
  headDim: number;
  vocabSize: number;
  maxPositions: number;
  parameters: number;
}

/** The graph and the tokenizer: what a runtime of our own reads of a folder beside its config. */
export const GRAPH_FILE = 'onnx/model.onnx';
/** A second graph of AR folders for this runtime on WebAssembly; its weights lie in `GRAPH_FILE`. */
export const DECODE_FILE = 'onnx/decode.onnx';
export const TOKENIZER_FILE = 'tokenizer.json';

/**
 * Reads and checks a config.
 * @throws ModelError `bad_config` with the field that is wrong, `wrong_codec` when it was made for another codec.
 */
export function parseConfig(text: string): ModelConfig {
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) {
    throw bad(`it is no JSON object${parsed.ok ? '' : ` (${parsed.error})`}`);
  }
  const config = parsed.value;
  const block = objectAt(config, 'terrarium');
  const kind = block['kind'];
  if (kind !== 'ar' && kind !== 'mdlm') throw bad(`terrarium.kind is ${JSON.stringify(kind)}, not "ar" or "mdlm"`);
  const codec = count(block, 'codec');
  if (codec !== CODEC_VERSION) {
    throw new ModelError(
      'wrong_codec',
      `The model was trained with codec version ${codec}; this page writes version ${CODEC_VERSION}.`,
      'Use a model folder of this version of Terrarium.',
    );
  }
  checkSlots(objectAt(block, 'slots'));
  const layers = count(config, 'num_hidden_layers');
  const heads = count(config, 'num_attention_heads');
  const headDim = count(config, 'head_dim');
  const vocabSize = count(config, 'vocab_size');
  const hidden = count(config, 'hidden_size');
  const inner = count(config, 'intermediate_size');
  return {
    kind,
    codec,
    version: textAt(block, 'version'),
    shift: block['shift'] === true,
    causalPrefix: block['causalPrefix'] === true,
    tokenizerSha256: textAt(block, 'tokenizerSha256'),
    files: fileEntries(objectAt(block, 'files')),
    selfTest: readSelfTest(objectAt(block, 'selfTest')),
    layers,
    heads,
    headDim,
    vocabSize,
    maxPositions: count(config, 'max_position_embeddings'),
    // Llama without biases and with tied embeddings: per layer four attention matrices, three of the MLP, two norms.
    parameters: vocabSize * hidden + layers * (4 * hidden * heads * headDim + 3 * hidden * inner + 2 * hidden) + hidden,
  };
}

function bad(what: string): ModelError {
  return new ModelError(
    'bad_config',
    `config.json of the model cannot be used: ${what}.`,
    'Export the folder again with models/training/export.py, or restore it from the repository.',
  );
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  if (!isObject(value)) throw bad(`"${key}" is missing`);
  return value;
}

function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  if (typeof value !== 'string') throw bad(`"${key}" is no text`);
  return value;
}

function count(object: JsonObject, key: string): number {
  const value = object[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw bad(`"${key}" is ${JSON.stringify(value)}, not a positive whole number`);
  }
  return value;
}

function checkSlots(slots: JsonObject): void {
  for (const slot of SLOTS) {
    const sizes = slots[slot];
    if (!Array.isArray(sizes) || sizes.join() !== SLOT_SIZES[slot].join()) {
      throw bad(`its sizes of the slot "${slot}" are not ${SLOT_SIZES[slot].join(', ')}`);
    }
  }
}

function fileEntries(files: JsonObject): { [path: string]: FileEntry } {
  const entries = Object.entries(files).map(([path, value]): [string, FileEntry] => {
    if (!isObject(value)) throw bad(`the entry of ${path} is no object`);
    const sha256 = textAt(value, 'sha256');
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw bad(`the hash of ${path} is no SHA-256 in lower-case hex`);
    return [path, { bytes: count(value, 'bytes'), sha256 }];
  });
  for (const path of [GRAPH_FILE, TOKENIZER_FILE]) {
    if (!entries.some(([name]) => name === path)) throw bad(`its list of files lacks ${path}`);
  }
  return Object.fromEntries(entries);
}

function readSelfTest(test: JsonObject): ModelConfig['selfTest'] {
  const inputIds = numbers(test, 'input_ids');
  const blockIds = numbers(test, 'block_ids');
  const list = test['checks'];
  if (blockIds.length !== inputIds.length) throw bad('the self-test has not one block id for each token');
  if (!Array.isArray(list) || list.length === 0) throw bad('the self-test has no checks');
  const checks = list.map((item: Json): LogitCheck => {
    const { position, token, logit } = isObject(item) ? item : {};
    if (typeof position !== 'number' || typeof token !== 'number' || typeof logit !== 'number') {
      throw bad('a check of the self-test has no position, token and logit');
    }
    if (!(position >= 0 && position < inputIds.length)) throw bad(`the self-test checks position ${position}`);
    return { position, token, logit };
  });
  return { inputIds, blockIds, checks };
}

function numbers(object: JsonObject, key: string): number[] {
  const value = object[key];
  if (!Array.isArray(value) || value.length === 0 || !value.every((item) => typeof item === 'number')) {
    throw bad(`"${key}" of the self-test is no list of numbers`);
  }
  return value;
}
