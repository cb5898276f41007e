/**
 * The film of a step: how the window looked after each pass. From the record alone it is when each token that stands was
 * written; from a replay it is every window there was, with the guesses behind the masks, tokens that were masked again,
 * slots that grew, and answers that were tried and not taken.
 */
import type { Table } from '../../rollouts/lab/pictures';
import { END, isPad, type Tokenizer } from '../../world/codec/special';
import { finishStep, type Draft, type DraftToken, type Prediction, type Simulator } from '../../world/simulator';
import type { Action, Context } from '../../world/types';
import type { LaneResult, StepRecord } from '../../rollouts';
import { lastPass } from '../replay';

export interface FilmFrame {
  /** Number of the picture, from 0: nothing is written yet. */
  pass: number;
  /** Forward passes until then; null where the record does not say. */
  nfe: number | null;
  tokens: readonly DraftToken[];
}

/** The token of a place that is not written yet. What was fixed before generation is there from the start. */
function hidden(token: DraftToken, pass: number): DraftToken {
  return token.masked || token.pass > pass ? { ...token, masked: true, confidence: 0, pass: 0 } : token;
}

/**
 * The film as far as the record has it: each token from the pass in which it was written for good.
 * @param window whether there was a window of masks before the tokens came; an AR answer has none
 */
export function recordedFrames({ tokens, cost }: Pick<Prediction, 'tokens' | 'cost'>, window: boolean): FilmFrame[] {
  const last = lastPass(tokens);
  return Array.from({ length: last + 1 }, (_, pass) => ({
    pass,
    // A pass may have been two runs of the model, and further answers may have been tried: only the ends are known.
    nfe: pass === 0 ? 0 : pass === last ? cost.nfe : null,
    tokens: window ? tokens.map((token) => hidden(token, pass)) : tokens.filter((token) => token.pass <= pass),
  }));
}

/** The film of the windows that were seen while the answer was made; it begins before the first pass. */
export function draftFrames(drafts: readonly Pick<Draft, 'tokens' | 'nfe'>[], end: Prediction): FilmFrame[] {
  const windows = [...drafts, { tokens: end.tokens, nfe: end.cost.nfe }];
  const first = windows[0]?.tokens ?? [];
  const masks = drafts.some(({ tokens }) => tokens.some(({ masked }) => masked));
  // What was fixed alone was there before the first pass.
  const start = masks ? first.map((token) => hidden(token, 0)) : first.filter(({ pass }) => pass === 0);
  // Several tokens may come out of one pass, each with a draft of its own: the last one has them all.
  const passes = windows.filter(({ nfe }, i) => windows[i + 1]?.nfe !== nfe);
  return [{ nfe: 0, tokens: start }, ...passes].map(({ tokens, nfe }, pass) => ({ pass, nfe, tokens }));
}

/** A step that was done once more. */
export interface Replay {
  frames: FilmFrame[];
  prediction: Prediction;
  /** What sets it apart from the record; empty where they are the same. */
  differs: string;
}

/**
 * Does a recorded step of one lane again: the same context, action, directives, seed, key of draws and sampling. Draws are
 * keyed, so the same weights on the same runtime write the same tokens; what differs is said.
 * @throws what the simulator throws; the signal's reason when aborted
 */
export async function replayStep(
  simulator: Simulator,
  context: Context,
  { action, directives, seed }: Pick<StepRecord, 'directives' | 'seed'> & { action: Action },
  { prediction, sampler }: Pick<LaneResult, 'prediction' | 'sampler'>,
  signal?: AbortSignal,
  onDraft?: (draft: Draft) => void,
): Promise<Replay> {
  const drafts: Draft[] = [];
  const steps = simulator.step(context, action, { ...sampler, directives, seed }, signal);
  const again = await finishStep(steps, (draft) => {
    drafts.push(draft);
    onDraft?.(draft);
  });
  return {
    frames: draftFrames(drafts, again),
    prediction: again,
    differs: prediction ? difference(prediction, again) : '',
  };
}

/** Where two answers part, in words; empty where every token was written alike, in the same pass. */
export function difference(recorded: Pick<Prediction, 'tokens'>, again: Pick<Prediction, 'tokens'>): string {
  const [a, b] = [recorded.tokens, again.tokens];
  const parts = (key: 'id' | 'slot' | 'pass') => a.findIndex((token, i) => token[key] !== b[i]?.[key]);
  const [id, slot, pass] = [parts('id'), parts('slot'), parts('pass')];
  if (id >= 0 || slot >= 0 || a.length !== b.length) {
    const at = Math.min(...[id, slot, Math.min(a.length, b.length)].filter((i) => i >= 0));
    return `it writes another answer from place ${at + 1} on`;
  }
  return pass >= 0 ? `it writes the same tokens, but that of place ${pass + 1} in another pass` : '';
}

/** A token as it is drawn: spaces and line ends are visible, masks are empty. */
export function tokenText({ id, masked }: DraftToken, tokenizer: Tokenizer | null): string {
  if (masked) return '';
  if (id === END) return '\u25aa';
  if (isPad(id)) return '\u00b7';
  const text = tokenizer ? tokenizer.decode([id]) : `#${id}`;
  return text.replaceAll(' ', '\u00a0').replaceAll('\n', '\u21b5').replaceAll('\t', '\u21e5');
}

/** What changed from the frame before, and how much is written: `pass 3, 12 of 52 places written, 4 new`. */
export function frameWords(frames: readonly FilmFrame[], i: number): string {
  const frame = frames[i];
  if (!frame) return '';
  const { written, fresh, again, grown } = changes(frame, frames[i - 1]);
  const parts = [
    i === 0 ? 'before the first pass' : `pass ${frame.pass}`,
    ...(frame.nfe !== null && frame.nfe !== frame.pass ? [`${frame.nfe} runs of the model`] : []),
    `${written} of ${frame.tokens.length} places written`,
    ...(i > 0 ? [`${fresh} new`] : []),
    ...(again > 0 ? [`${again} masked again`] : []),
    ...(grown !== 0 ? [grown > 0 ? `the window grew by ${grown}` : `a new window of ${frame.tokens.length}`] : []),
  ];
  return parts.join(', ');
}

/** How a place stands against the frame before, by slot and place in it. */
export type Change = 'fresh' | 'again' | 'same';

export function changesOf(frame: FilmFrame, before: FilmFrame | undefined): Change[] {
  const known = new Map(placed(before?.tokens ?? []).map(({ key, token }) => [key, token]));
  return placed(frame.tokens).map(({ key, token }) => {
    const old = known.get(key);
    if (!before || !old) return before && !token.masked ? 'fresh' : 'same';
    if (token.masked) return old.masked ? 'same' : 'again';
    return old.masked || old.id !== token.id ? 'fresh' : 'same';
  });
}

function changes(frame: FilmFrame, before: FilmFrame | undefined) {
  const all = changesOf(frame, before);
  return {
    written: frame.tokens.filter(({ masked }) => !masked).length,
    fresh: all.filter((change) => change === 'fresh').length,
    again: all.filter((change) => change === 'again').length,
    // Tokens that an AR answer adds are no growth; masks that a slot gets are.
    grown: before ? growth(frame, before) : 0,
  };
}

/** Masks at places that were not there before, or, where there are fewer places than before, how many fewer (below 0). */
function growth(frame: FilmFrame, before: FilmFrame): number {
  if (frame.tokens.length < before.tokens.length) return frame.tokens.length - before.tokens.length;
  const known = new Set(placed(before.tokens).map(({ key }) => key));
  return placed(frame.tokens).filter(({ key, token }) => token.masked && !known.has(key)).length;
}

/** Tokens with their slot and their place in it, which stays when another slot grows. */
export function placed(tokens: readonly DraftToken[]): { key: string; place: number; token: DraftToken }[] {
  const next = { observation: 0, delta: 0, status: 0 };
  return tokens.map((token) => {
    const place = next[token.slot]++;
    return { key: `${token.slot} ${place}`, place, token };
  });
}

/** Every place of every frame, a row each. */
export function filmTable(frames: readonly FilmFrame[], tokenizer: Tokenizer | null): Table {
  return {
    head: ['frame', 'nfe', 'slot', 'place', 'masked', 'token', 'text', 'confidence', 'writtenInPass'],
    rows: frames.flatMap(({ pass, nfe, tokens }) =>
      placed(tokens).map(({ place, token: { slot, masked, id, confidence, pass: written } }) => [
        ...[pass, nfe, slot, place, masked],
        ...(masked
          ? [null, null, confidence, null]
          : [id, tokenizer ? tokenizer.decode([id]) : null, confidence, written]),
      ]),
    ),
  };
}
