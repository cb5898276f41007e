import { Tokenizer as Reference } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeWorld } from '../../twins';
import { FIRST_TEXT, SPECIAL_TOKENS, worldText } from '../../world/codec';
import { Rng } from '../../world/rng';
import { loadTokenizer, tokenizerFile, trainMerges, type BpeTokenizer } from '.';
import { pieces } from './bpe';

const counts = new Map<string, number>();
for (let seed = 0; seed < 30; seed++) {
  for (const text of Object.values(worldText(makeWorld('universe', seed)))) {
    for (const piece of pieces(text)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
}
const merges = trainMerges(counts, 700);
const file = tokenizerFile(merges);
let tokenizer: BpeTokenizer;
beforeAll(async () => void (tokenizer = await loadTokenizer(file)));

/** Texts near those of the project, and arbitrary ones. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(...[...counts.keys()].slice(0, 80)),
  fc
    .array(fc.constantFrom('{"', '":"', ' open', 'open', '12', 'é', '\n', '  ', 'X-7', '_a', '"}', "it's", '\ufeff'))
    .map((parts) => parts.join('')),
);

describe('byte-level BPE', () => {
  test('the file loads to the same tokenizer', () => {
    expect(tokenizer.vocabSize).toBe(273 + merges.length);
    expect(tokenizer.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(merges.length).toBeGreaterThan(200);
  });

  test('tokens are those of Hugging Face tokenizers with the same file', () => {
    const reference = new Reference(JSON.parse(file) as object, {});
    fc.assert(
      fc.property(text, (value) => {
        const clean = value.replace(/\p{Surrogate}/gu, '\ufffd');
        if (SPECIAL_TOKENS.some((token) => clean.includes(token))) return;
        expect(tokenizer.encode(clean)).toEqual(reference.encode(clean, { add_special_tokens: false }).ids);
      }),
      { numRuns: 500 },
    );
  });

  test('text that spells a special token stays text', () => {
    for (const token of SPECIAL_TOKENS) {
      expect(tokenizer.encode(token).every((id) => id >= FIRST_TEXT)).toBe(true);
      expect(tokenizer.decode(tokenizer.encode(token))).toBe(token);
    }
    expect(tokenizer.decode([0, 1, 9, 16])).toBe('');
  });

  test('dropout gives other tokens of the same text, and the same ones every time it occurs', () => {
    const rng = Rng.of('dropout');
    const noisy = tokenizer.withDropout(0.5, () => rng.next());
    const sample = [...counts.keys()].join('');
    expect(noisy.decode(noisy.encode(sample))).toBe(sample);
    expect(noisy.encode(sample)).toEqual(noisy.encode(sample));
    expect(noisy.encode(sample).length).toBeGreaterThan(tokenizer.encode(sample).length);
  });

  test('training depends on the counts alone and prefers frequent pairs', () => {
    expect(trainMerges(new Map([...counts].reverse()), 700)).toEqual(merges);
    expect(
      trainMerges(
        new Map([
          ['abab', 3],
          ['xy', 2],
          ['z', 9],
        ]),
        1000,
      ),
    ).toEqual([
      [FIRST_TEXT + 97, FIRST_TEXT + 98],
      [273, 273],
      [FIRST_TEXT + 120, FIRST_TEXT + 121],
    ]);
  });
});

test('files of another codec are refused with a reason', async () => {
  await expect(loadTokenizer(file.replaceAll('<resp>', '<answer>'))).rejects.toThrow('made for another codec');
  await expect(loadTokenizer(file.replace('[0-9]', '[0-9]+'))).rejects.toThrow('splits text in another way');
});
