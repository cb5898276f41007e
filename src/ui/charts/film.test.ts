import { describe, expect, it } from 'vitest';
import { LIGHT, svgText } from '../../rollouts/lab/pictures';
import { END, MASK, PAD_0 } from '../../world/codec/special';
import {
  NO_COST,
  type Draft,
  type DraftToken,
  type Prediction,
  type Simulator,
  type StepOptions,
} from '../../world/simulator';
import type { Slot } from '../../world/types';
import { bitmapScale, fileName } from './files';
import {
  changesOf,
  difference,
  draftFrames,
  filmTable,
  frameWords,
  recordedFrames,
  replayStep,
  tokenText,
} from './film';
import { boxWidths, confidenceColour, frameFigure, mapFigure, sheetFigure } from './filmFigures';

const token = (slot: Slot, id: number, pass: number, confidence = 0.9): DraftToken => ({
  ...{ slot, id, masked: false, confidence, pass },
});
const mask = (slot: Slot, guess = 0): DraftToken => ({ slot, id: MASK, masked: true, confidence: guess, pass: 0 });
const answer = (tokens: DraftToken[], nfe: number): Prediction => ({
  kind: 'prediction',
  transition: { observation: { kind: 'text', text: '' }, delta: {}, status: 'ok' },
  text: { observation: '', delta: '', status: '' },
  ...{ parseErrors: [], tokens, cost: { ...NO_COST, nfe }, seed: 7 },
});
const draft = (tokens: DraftToken[], nfe: number): Draft => ({
  ...{ kind: 'draft', tokens, nfe },
  text: { observation: '', delta: '', status: '' },
});
const tokenizer = { decode: (ids: readonly number[]) => ids.map((id) => String.fromCharCode(id)).join('') } as never;

const final = [token('observation', 97, 2), token('observation', END, 1, 0.4), token('status', 111, 0, 1)];

describe('a film from the record', () => {
  it('shows each token from its pass on, and what was fixed from the start', () => {
    const frames = recordedFrames(answer(final, 4), true);
    expect(frames.map(({ tokens }) => tokens.map(({ masked }) => masked))).toEqual([
      [true, true, false],
      [true, false, false],
      [false, false, false],
    ]);
    // Guidance makes two runs a pass: in the middle the record does not say how many there were.
    expect(frames.map(({ nfe }) => nfe)).toEqual([0, null, 4]);
    expect(frameWords(frames, 1)).toBe('pass 1, 2 of 3 places written, 1 new');
    expect(frameWords(frames, 2)).toBe('pass 2, 4 runs of the model, 3 of 3 places written, 1 new');
  });

  it('has no masks for an answer that was written token by token', () => {
    const tokens = [token('observation', 97, 1), token('observation', 98, 2)];
    expect(recordedFrames(answer(tokens, 2), false).map(({ tokens: shown }) => shown.length)).toEqual([0, 1, 2]);
  });
});

describe('a film from a replay', () => {
  const drafts = [
    draft([token('observation', 120, 1), mask('observation', 0.3), mask('status')], 1),
    // The first is masked again, and the slot grows.
    draft([mask('observation', 0.2), mask('observation', 0.6), mask('observation'), mask('status', 0.5)], 2),
  ];
  const end = answer(
    [
      token('observation', 97, 3),
      token('observation', END, 3),
      token('observation', PAD_0, 3),
      token('status', 111, 3),
    ],
    3,
  );
  const frames = draftFrames(drafts, end);

  it('begins before the first pass and tells what is new, masked again and grown', () => {
    expect(frames.map(({ pass, nfe }) => [pass, nfe])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect(frames[0]?.tokens.every(({ masked, confidence }) => masked && confidence === 0)).toBe(true);
    expect(changesOf(frames[2] as never, frames[1])).toEqual(['again', 'same', 'same', 'same']);
    expect(changesOf(frames[3] as never, frames[2])).toEqual(['fresh', 'fresh', 'fresh', 'fresh']);
    expect(frameWords(frames, 2)).toBe('pass 2, 0 of 4 places written, 0 new, 1 masked again, the window grew by 1');
  });

  it('is a table with a row for every place, guesses behind masks included', () => {
    const { head, rows } = filmTable(frames, tokenizer);
    expect(rows).toHaveLength(3 + 3 + 4 + 4);
    expect(rows.every((row) => row.length === head.length)).toBe(true);
    expect(rows[3]).toEqual([1, 1, 'observation', 0, false, 120, 'x', 0.9, 1]);
    expect(rows[4]).toEqual([1, 1, 'observation', 1, true, null, null, 0.3, null]);
    expect(rows.at(-1)?.slice(2, 5)).toEqual(['status', 0, false]);
  });

  it('is asked for with what the record holds, and says where another answer parts from it', async () => {
    const seen: unknown[] = [];
    const simulator: Simulator = {
      ...{ id: 'fake', supports: () => true },
      async *step(context, action, options) {
        seen.push(context, action, options);
        yield* drafts;
        yield end;
      },
    };
    const sampler = { step: 3, lane: 9, temperature: 0, topP: 1, threshold: 0.7 } as Omit<
      StepOptions,
      'directives' | 'seed'
    >;
    const step = { action: { tool: 't', args: {} }, directives: [{ kind: 'empty' as const }], seed: 7 };
    const context = { world: {} as never, history: [] };
    const passes: number[] = [];
    const replay = await replayStep(simulator, context, step, { prediction: end, sampler }, undefined, ({ nfe }) =>
      passes.push(nfe),
    );
    expect(seen).toEqual([context, step.action, { ...sampler, directives: step.directives, seed: 7 }]);
    expect(passes).toEqual([1, 2]);
    expect(replay).toMatchObject({ frames, differs: '' });
    const other = answer(end.tokens.with(1, token('observation', 98, 3)), 3);
    expect(difference(other, end)).toBe('it writes another answer from place 2 on');
    expect(difference(answer(end.tokens.slice(0, 3), 3), end)).toBe('it writes another answer from place 4 on');
    const late = answer(end.tokens.with(2, token('observation', PAD_0, 2)), 3);
    expect(difference(late, end)).toBe('it writes the same tokens, but that of place 3 in another pass');
  });
});

describe('pictures of a film', () => {
  const frames = recordedFrames(answer(final, 2), true);

  it('keep every box in its place from pass to pass, in lines that fit', () => {
    const many = Array.from({ length: 60 }, (_, i) => token('observation', 97 + (i % 26), 1 + (i % 4)));
    const film = recordedFrames(answer(many, 4), true);
    const boxes = (i: number, width: number) =>
      frameFigure('t', film, i, tokenizer, width).nodes.flatMap(({ tag, children }) =>
        tag === 'g' ? [children[1]?.attrs].map((attrs) => [attrs?.['x'], attrs?.['y'], attrs?.['width']]) : [],
      );
    for (const width of [320, 900]) {
      expect(boxes(0, width)).toHaveLength(60);
      expect(boxes(0, width)).toEqual(boxes(4, width));
      for (const [x, , wide] of boxes(4, width)) expect(Number(x) + Number(wide)).toBeLessThanOrEqual(width);
    }
    expect(sheetFigure('t', film, tokenizer, 320).height).toBeGreaterThan(
      sheetFigure('t', film, tokenizer, 900).height,
    );
  });

  it('say in words under the pointer what colours say', () => {
    const text = svgText(frameFigure('t', frames, 1, tokenizer, 400), LIGHT);
    expect(text).toContain('<title>observation 1: \u25aa, 40.0% in pass 1</title>');
    expect(text).toContain('<title>observation 0: masked</title>');
    expect(text).toContain('<title>status 0: o, 100.0%, fixed before generation</title>');
    expect(text).not.toMatch(/NaN|undefined|"\$/);
    // A row a pass and a column a place.
    const map = mapFigure('t', frames, 1, 400);
    expect(map.nodes.filter(({ tag, attrs }) => tag === 'rect' && attrs['fill'] !== 'none')).toHaveLength(9);
  });

  it('colour confidence from low over mid to high', () => {
    expect([0, 0.25, 0.5, 1].map(confidenceColour)).toEqual([
      '$low+mid+0',
      '$low+mid+50',
      '$mid+high+0',
      '$mid+high+100',
    ]);
    expect(svgText(frameFigure('t', frames, 2, tokenizer, 900), LIGHT)).toContain(`fill="${LIGHT.high}"`);
  });

  it('show spaces and line ends, and have a width for what is not there yet', () => {
    expect(tokenText(token('observation', 32, 1), tokenizer)).toBe('\u00a0');
    expect(tokenText(token('observation', 97, 1), null)).toBe('#97');
    expect(boxWidths(frames, null).get('observation 0')).toBeGreaterThan(20);
  });
});

describe('files', () => {
  it('have plain names, and bitmaps no larger than browsers draw', () => {
    expect(fileName('MDLM 2, step 3: \u201cfilm\u201d')).toBe('mdlm-2-step-3-film');
    expect(fileName('\u4e16\u754c')).toBe('picture');
    expect(bitmapScale({ width: 800, height: 400 }, 2)).toBe(2);
    const long = { width: 1000, height: 60_000 };
    expect(long.height * bitmapScale(long, 2)).toBeLessThanOrEqual(16_384);
  });
});
