/** From what a pass gives to what a window takes: places left out, shifted models, guidance, bans and draws. */
import { guided } from '../guidance';
import { draw, isBanned, statistics, type Row } from '../draw';
import { viewOf, type WindowConstraint } from '../constraint';
import type { WindowPass } from './pass';
import type { AnswerWindow, Guess } from './window';

export interface Reading {
  window: AnswerWindow;
  /** Places that the pass ran. */
  shown: readonly number[];
  /** The prediction for a place is read at the place before it. */
  shift: boolean;
  vocabSize: number;
  /** Places whose tokens may be written next. */
  open: readonly number[];
  /** The pass without this turn's directives, and the scale of guidance; null without guidance. */
  contrast: { pass: WindowPass; scale: number } | null;
  temperature: number;
  topP: number;
  minP: number;
  /** Noise of the draws at a place, which stays the same from pass to pass. */
  noise(place: number): Float64Array;
  /** What the answer is held to; null for nothing. */
  constraint?: WindowConstraint | null;
}

/** Logits are needed where tokens are drawn, where directives are contrasted, and where something may not be written. */
export function needsLogits(
  window: AnswerWindow,
  temperature: number,
  guidance: number,
  constrained: boolean,
): boolean {
  return constrained || temperature > 0 || guidance > 0 || window.masked().some((place) => window.ban(place) !== null);
}

/** What the pass says about each place of the window; places that were left out get zeros. */
export function readPass(pass: WindowPass, reading: Reading): Guess {
  const { window, shown, shift, vocabSize: size, contrast, temperature, topP, minP } = reading;
  const width = window.tokens().length;
  const rows = new Map(shown.map((place, row) => [place, row]));
  const best = new Int32Array(width);
  const [confidence, margin, entropy] = [new Float64Array(width), new Float64Array(width), new Float64Array(width)];
  for (let place = 0; place < width; place++) {
    const at = rows.get(Math.max(0, place - (shift ? 1 : 0)));
    if (at === undefined) continue;
    best[place] = pass.best[at] as number;
    confidence[place] = pass.confidence[at] as number;
    margin[place] = pass.margin?.[at] ?? 0;
    entropy[place] = pass.entropy?.[at] ?? 0;
  }
  const token = Int32Array.from(best);
  if (!pass.logits) return { best, token, confidence, margin, entropy };
  const drawn = new Set(reading.open);
  const seen = new Map<number, Row>();
  for (const place of window.masked()) {
    const at = rows.get(place - (shift ? 1 : 0)) as number;
    const ban = window.ban(place);
    const banned = ban ? (id: number) => isBanned(id) || ban(id) : isBanned;
    let row: Row = { data: pass.logits, start: at * size, size };
    if (contrast) row = guided(row, { ...row, data: contrast.pass.logits as Float32Array }, contrast.scale);
    seen.set(place, row);
    if (contrast || ban) {
      const found = statistics(row, banned);
      token[place] = best[place] = found.best;
      confidence[place] = found.confidence;
      margin[place] = found.margin;
      entropy[place] = found.entropy;
    }
    if (temperature <= 0 || !drawn.has(place)) continue;
    const choice = draw(row, temperature, topP, reading.noise(place), banned, minP);
    token[place] = choice.token;
    confidence[place] = choice.confidence;
  }
  if (!reading.constraint) return { best, token, confidence, margin, entropy };
  const free = Int32Array.from(token);
  const places = viewOf(window);
  const scores = (i: number) => ({
    row: seen.get(i + 1) as Row,
    noise: temperature > 0 && drawn.has(i + 1) ? reading.noise(i + 1) : null,
  });
  const chosen = reading.constraint.choose(places, window.sizes, scores, { temperature, topP, minP });
  for (const [i, choice] of chosen.entries()) {
    if (!choice) continue;
    token[i + 1] = choice.token;
    confidence[i + 1] = choice.confidence;
    margin[i + 1] = choice.margin;
    entropy[i + 1] = choice.entropy;
  }
  return { best, token, confidence, margin, entropy, free };
}
