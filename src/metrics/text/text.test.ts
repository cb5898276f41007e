import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import golden from '../../../test/fixtures/metrics/golden_metrics.json';
import { distinct, selfBleu } from '../diversity/ngrams';
import { bleu, bleu1, sentenceBleu } from './bleu';
import { longestCommon, rougeL } from './rouge';
import { tokenize13a } from './tokenize';

const pairs = golden.segment_pairs;
const corpus = pairs.map(({ hyp, ref }) => ({ hypothesis: hyp, references: [ref] }));

describe('golden texts', () => {
  it.each(pairs)('give the tokens, BLEU and ROUGE-L of the references: $hyp', (pair) => {
    expect(tokenize13a(pair.hyp).join(' ')).toBe(pair.tok13a_hyp);
    const one = bleu1([{ hypothesis: pair.hyp, references: [pair.ref] }]);
    expect(one.score).toBeCloseTo(pair.bleu1, 5);
    expect(one.bp).toBeCloseTo(pair.bleu1_bp, 5);
    expect(one).toMatchObject({ counts: pair.bleu1_counts, totals: pair.bleu1_totals });
    expect(sentenceBleu(pair.hyp, [pair.ref])).toBeCloseTo(pair.bleu4_effective, 5);
    const { precision, recall, f1 } = rougeL(pair.ref, pair.hyp);
    expect(precision).toBeCloseTo(pair.rougeL.precision, 5);
    expect(recall).toBeCloseTo(pair.rougeL.recall, 5);
    expect(f1).toBeCloseTo(pair.rougeL.fmeasure, 5);
  });

  it('give the BLEU of the corpus', () => {
    expect(bleu1(corpus).score).toBeCloseTo(golden.corpus.bleu1, 5);
    const four = bleu(corpus);
    expect(four.score).toBeCloseTo(golden.corpus.bleu4, 5);
    expect(four.bp).toBeCloseTo(golden.corpus.bp, 5);
    expect([four.hypothesisLength, four.referenceLength]).toEqual([golden.corpus.sys_len, golden.corpus.ref_len]);
  });

  it('give the self-BLEU and the distinct n-grams', () => {
    const { hyps, per, mean } = golden.self_bleu4_effective;
    const own = selfBleu(hyps);
    own.each.forEach((score, i) => expect(score).toBeCloseTo(per[i] ?? NaN, 5));
    expect(own.mean).toBeCloseTo(mean, 5);
    const share = (order: number) => {
      const { sum, n } = distinct(hyps, order, (text) => text.split(/\s+/).filter(Boolean));
      return sum / n;
    };
    expect(share(1)).toBeCloseTo(golden.distinct.d1, 5);
    expect(share(2)).toBeCloseTo(golden.distinct.d2, 5);
    expect(share(3)).toBeCloseTo(golden.distinct.d3, 5);
  });

  it('rate the opposite answer almost as high as the right one, which is why they never stand alone', () => {
    const [hypothesis, reference] = ['{"status": "error", "id": "W1"}', '{"status": "ok", "id": "W1"}'];
    expect(bleu1([{ hypothesis, references: [reference] }]).score).toBeGreaterThan(90);
  });

  it('agree with the examples of the references: sacrebleu with two references, rouge-score', () => {
    const pairs = [
      ['The dog bit the man.', 'The dog bit the man.', 'The dog had bit the man.'],
      ["It wasn't surprising.", 'It was not unexpected.', 'No one was surprised.'],
      ['The man had just bitten him.', 'The man bit him first.', 'The man had bitten the dog.'],
    ].map(([hypothesis = '', ...references]) => ({ hypothesis, references }));
    expect(bleu(pairs).score).toBeCloseTo(48.530827, 5);
    expect(rougeL('testing one two', 'testing two').f1).toBeCloseTo(0.8, 12);
  });
});

describe('any texts', () => {
  const word = fc.constantFrom('a', 'b', 'ok', '17', 'W17', '.', '-', '{"x":1}');
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));

  it('score within bounds, and themselves highest', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const score = sentenceBleu(a, [b]);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100 + 1e-9);
        if (a !== '') expect(sentenceBleu(a, [b, a])).toBeCloseTo(100, 9);
        const [one, other] = [rougeL(a, b), rougeL(b, a)];
        expect(one.precision).toBe(other.recall);
        expect(one.f1).toBeCloseTo(other.f1, 12);
        expect(one.f1).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('have a self-BLEU of 100 when all are the same, and distinct shares within (0, 1]', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 4 }), (a, n) => {
        if (tokenize13a(a).length === 0) return;
        expect(selfBleu(new Array<string>(n).fill(a)).mean).toBeCloseTo(100, 9);
        const { sum, n: all } = distinct(new Array<string>(n).fill(a), 1);
        expect(sum).toBeGreaterThan(0);
        expect(sum * n).toBeLessThanOrEqual(all);
      }),
    );
    expect(selfBleu(['a'])).toEqual({ each: [], mean: null, n: 1 });
  });

  it('have the self-BLEU that the definition gives', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), (texts) => {
        selfBleu(texts).each.forEach((score, i) => {
          expect(score).toBeCloseTo(sentenceBleu(texts[i] ?? '', texts.toSpliced(i, 1)), 9);
        });
      }),
    );
  });

  it('have a common subsequence no longer than either, the same both ways', () => {
    const tokens = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 10 });
    fc.assert(
      fc.property(tokens, tokens, (a, b) => {
        const common = longestCommon(a, b);
        expect(common).toBe(longestCommon(b, a));
        expect(common).toBeLessThanOrEqual(Math.min(a.length, b.length));
        expect(longestCommon(a, [...b, ...a])).toBe(a.length);
      }),
    );
  });
});
