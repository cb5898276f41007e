/** The published text metrics over many answers. They never stand alone; see bleu.ts for why. */
import { distinct, selfBleu, type SelfBleu } from '../diversity/ngrams';
import { mauve, type Mauve } from '../diversity/mauve';
import { vendiOfTexts } from '../diversity/vendi';
import type { Ratio } from '../statistics';
import { bleu1, BLEU1_SIGNATURE } from './bleu';
import { rougeL } from './rouge';

/** An observation as it was written, and as the twin writes it. */
export interface TextPair {
  written: string;
  expected: string;
}

export interface TextOverlap {
  /** Corpus BLEU-1 in [0, 100]; null without answers. */
  bleu1: number | null;
  signature: string;
  /** Sum of ROUGE-L F1 over answers; divide for the mean. */
  rougeL: Ratio;
}

/** BLEU-1 of all observations and their ROUGE-L; an answer that failed is an empty text and counts. */
export function textOverlap(pairs: readonly TextPair[]): TextOverlap {
  return {
    bleu1:
      pairs.length === 0
        ? null
        : bleu1(pairs.map(({ written, expected }) => ({ hypothesis: written, references: [expected] }))).score,
    signature: BLEU1_SIGNATURE,
    rougeL: {
      sum: pairs.reduce((sum, { written, expected }) => sum + rougeL(expected, written).f1, 0),
      n: pairs.length,
    },
  };
}

/** Texts a diversity score of pairs is taken of at most: its cost grows with the square. */
export const DIVERSITY_MOST = 200;

export interface TextDiversity {
  /** Texts handed in, and those the scores of pairs rest on (evenly spread among all). */
  n: number;
  used: number;
  selfBleu: SelfBleu['mean'];
  distinct1: Ratio;
  distinct2: Ratio;
  vendi: number | null;
}

/**
 * Diversity of what a simulator writes: answers to one call under several seeds, or observations of many. Only meaningful under
 * the sampler `ancestral`, and beside the diversity of the true answers to the same calls.
 */
export function textDiversity(texts: readonly string[]): TextDiversity {
  const used =
    texts.length <= DIVERSITY_MOST
      ? texts
      : Array.from({ length: DIVERSITY_MOST }, (_, i) => texts[Math.floor((i * texts.length) / DIVERSITY_MOST)] ?? '');
  return {
    n: texts.length,
    used: used.length,
    selfBleu: selfBleu(used).mean,
    distinct1: distinct(texts, 1),
    distinct2: distinct(texts, 2),
    vendi: used.length === 0 ? null : vendiOfTexts(used).score,
  };
}

/** MAUVE-style score of observations; hidden below 200 pairs. */
export function textMauve(pairs: readonly TextPair[], seed = 1): Mauve {
  return mauve(
    pairs.map(({ written }) => written),
    pairs.map(({ expected }) => expected),
    { seed },
  );
}
