/** Reading and writing Hugging Face `tokenizer.json` files (library `tokenizers`, model type BPE, byte level). */
import { FIRST_TEXT, PRE_TOKEN, SPECIAL_TOKENS } from '../../world/codec/special';
import { BpeTokenizer, FIRST_MERGE } from './bpe';
import { BYTE_CHARS } from './bytes';

interface TokenizerFile {
  added_tokens: { id: number; content: string }[];
  pre_tokenizer: { pretokenizers: { type: string; pattern?: { Regex: string } }[] };
  model: { type: string; vocab: { [token: string]: number }; merges: ([string, string] | string)[] };
}

/** Spelling of every text token, from its merges. */
function spellings(merges: readonly (readonly [number, number])[]): string[] {
  const out: string[] = [...SPECIAL_TOKENS, ...BYTE_CHARS];
  for (const [left, right] of merges) out.push((out[left] ?? '') + (out[right] ?? ''));
  return out;
}

/** The text of a `tokenizer.json` for the codec's pre-tokens and these merges (pairs of ids in order of rank). */
export function tokenizerFile(merges: readonly (readonly [number, number])[]): string {
  const tokens = spellings(merges);
  return `${JSON.stringify(
    {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: SPECIAL_TOKENS.map((content, id) => ({
        id,
        content,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      })),
      normalizer: null,
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [
          { type: 'Split', pattern: { Regex: regexText() }, behavior: 'Isolated', invert: false },
          { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
        ],
      },
      post_processor: null,
      decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: false,
        byte_fallback: false,
        ignore_merges: false,
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        merges: merges.map(([left, right]) => [tokens[left], tokens[right]]),
      },
    },
    null,
    1,
  )}\n`;
}

/** The pre-token pattern in the spelling Rust's regex engines take: an escaped `[` inside a class. */
function regexText(): string {
  return PRE_TOKEN.source.replaceAll('{}[', '{}\\[');
}

/**
 * Loads a tokenizer from the text of its file.
 * @throws Error when the file has other special tokens or pre-tokens than this codec; the message says which.
 */
export async function loadTokenizer(text: string): Promise<BpeTokenizer> {
  const file = JSON.parse(text) as TokenizerFile;
  SPECIAL_TOKENS.forEach((token, id) => {
    if (file.added_tokens[id]?.content !== token || file.added_tokens[id].id !== id) {
      throw new Error(`The tokenizer's token ${id} is not ${token}: it was made for another codec.`);
    }
  });
  if (file.pre_tokenizer.pretokenizers[0]?.pattern?.Regex !== regexText()) {
    throw new Error('The tokenizer splits text in another way than this codec.');
  }
  const { vocab } = file.model;
  const merges = file.model.merges.map((merge, rank): [number, number] => {
    const [left = '', right = ''] = typeof merge === 'string' ? merge.split(' ') : merge;
    const pair: [number, number] = [vocab[left] ?? -1, vocab[right] ?? -1];
    if (pair[0] < FIRST_TEXT || pair[1] < FIRST_TEXT || vocab[left + right] !== FIRST_MERGE + rank) {
      throw new Error(`The tokenizer's merge ${rank} (${left} ${right}) does not fit its vocabulary.`);
    }
    return pair;
  });
  return new BpeTokenizer(merges, await sha256(new TextEncoder().encode(text)));
}

/** SHA-256 in lower-case hex. Needs a secure context (https or localhost). */
export async function sha256(data: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
