/**
 * The special tokens of the codec. Their ids are part of the codec's version: every model is trained on them.
 */

/** Version of the layout; it stands in every model's config, and a model with another one is refused. */
export const CODEC_VERSION = 2;

export const SPECIAL_TOKENS = [
  '<mask>',
  '<p0>',
  '<p1>',
  '<p2>',
  '<p3>',
  '<p4>',
  '<p5>',
  '<p6>',
  '<p7>',
  '<end>',
  '<rules>',
  '<tools>',
  '<state>',
  '<task>',
  '<turn>',
  '<call>',
  '<resp>',
] as const;

export const MASK = 0;
/** First of the pad tokens, which fill a slot behind its end in a cycle. */
export const PAD_0 = 1;
export const PAD_CYCLE = 8;
export const END = 9;
export const RULES = 10;
export const TOOLS = 11;
export const STATE = 12;
export const TASK = 13;
export const TURN = 14;
export const CALL = 15;
export const RESP = 16;
/** Ids from here on are text. */
export const FIRST_TEXT = SPECIAL_TOKENS.length;

/** Id of the i-th pad (from 0) of a run of pads. */
export function padId(i: number): number {
  return PAD_0 + (i % PAD_CYCLE);
}

export function isPad(id: number): boolean {
  return id >= PAD_0 && id < PAD_0 + PAD_CYCLE;
}

/**
 * Splits text into the pieces inside which byte pairs are merged. Runs of JSON punctuation are pieces of their own, so a
 * value has the same tokens wherever it stands; digits are single; a word keeps one space before it.
 */
export const PRE_TOKEN = / ?[A-Za-z_]+|[0-9]|[{}[\]:,"]+|[ \t\r\n]|[^A-Za-z_0-9 \t\r\n{}[\]:,"]+/gu;

/**
 * About how many tokens a text has, without a tokenizer: a piece of the pre-tokenizer counts one for every four of its
 * characters. What folds and bounds go by, so that they are the same for twins and for all models.
 */
export function estimateTokens(text: string): number {
  return (text.match(PRE_TOKEN) ?? []).reduce((sum, piece) => sum + Math.ceil(piece.length / 4), 0);
}

/** A token that consists of JSON punctuation only: the places where elastic pads may stand. */
export const PUNCTUATION = /^[{}[\]:,"]+$/;

/** What the codec needs of a tokenizer. Special tokens never come out of `encode`. */
export interface Tokenizer {
  readonly vocabSize: number;
  /** SHA-256 of the tokenizer file in hex; models name the one they were trained with. */
  readonly sha256: string;
  /** Token ids of any text; lone surrogates become U+FFFD. */
  encode(text: string): number[];
  /** Text of token ids; special tokens give nothing, bytes that are no UTF-8 give U+FFFD. */
  decode(ids: readonly number[]): string;
}
