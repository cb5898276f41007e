/** The tokens of an answer as they are drawn, at any forward pass of its making. */
import { END, FIRST_TEXT, SPECIAL_TOKENS, isPad, type Tokenizer } from '../world/codec/special';
import { SLOTS, type Slot } from '../world/types';
import type { DraftToken } from '../world/simulator';

/** A token to draw. `text` is empty for masks; pads and ends are drawn as small signs. */
export interface TokenView {
  kind: 'text' | 'end' | 'pad' | 'mask' | 'special';
  text: string;
  confidence: number;
  pass: number;
  /** Committed in the very pass that is shown. */
  fresh: boolean;
}

/** The last pass in which a token was committed: the end of the replay. */
export function lastPass(tokens: readonly DraftToken[]): number {
  return tokens.reduce((most, token) => Math.max(most, token.pass), 0);
}

/**
 * The tokens by slot as they stood after `pass` forward passes; what was committed later is masked. Pass 0 is the window
 * before anything was written.
 */
export function tokensAt(
  tokens: readonly DraftToken[],
  pass: number,
  tokenizer: Tokenizer | null,
): { slot: Slot; tokens: TokenView[] }[] {
  return SLOTS.map((slot) => ({
    slot,
    tokens: tokens.filter((token) => token.slot === slot).map((token) => view(token, pass, tokenizer)),
  })).filter((part) => part.tokens.length > 0);
}

function view(token: DraftToken, pass: number, tokenizer: Tokenizer | null): TokenView {
  const { id, confidence } = token;
  const hidden = token.masked || token.pass > pass;
  const base = { confidence, pass: token.pass, fresh: !hidden && token.pass === pass };
  if (hidden) return { kind: 'mask', text: '', ...base };
  if (id === END) return { kind: 'end', text: '\u25aa', ...base };
  if (isPad(id)) return { kind: 'pad', text: '\u00b7', ...base };
  if (id < FIRST_TEXT) return { kind: 'special', text: SPECIAL_TOKENS[id] ?? '', ...base };
  return { kind: 'text', text: tokenizer ? tokenizer.decode([id]) : `#${id}`, ...base };
}

/** Number of committed tokens, and the mean and the least confidence among them (pads left out). */
export function confidenceSummary(tokens: readonly DraftToken[]): { count: number; mean: number; least: number } {
  const counted = tokens.filter((token) => !token.masked && !isPad(token.id));
  if (counted.length === 0) return { count: 0, mean: 0, least: 0 };
  const sum = counted.reduce((total, token) => total + token.confidence, 0);
  return { count: counted.length, mean: sum / counted.length, least: Math.min(...counted.map((t) => t.confidence)) };
}

/** Milliseconds between passes so that a replay takes about two seconds, and no pass is too short to see. */
export function replayInterval(passes: number): number {
  return Math.max(60, Math.min(400, 2000 / Math.max(passes, 1)));
}
