/** Diversity of what a simulator writes, and how close its distribution is to the twin's; from the sample of kept texts. */
import {
  distinct,
  selfBleu,
  textDiversity,
  textMauve,
  vendiOfTexts,
  type Mauve,
  type Ratio,
  type TextDiversity,
  type TextPair,
} from '../../metrics';
import type { JobRecord } from './records';

/** Diversity of the answers to one call under several seeds; means over calls. */
export interface SameCall {
  /** Calls that were answered under at least two seeds, and their answers. */
  calls: number;
  answers: number;
  /** Self-BLEU in [0, 100], lower is more diverse; Vendi score between 1 and the number of answers; null without calls. */
  selfBleu: number | null;
  vendi: number | null;
  /** Different answers over answers. */
  different: Ratio;
  distinct1: Ratio;
}

export interface TextTable {
  /** Observations that were kept: the sample these numbers rest on. */
  kept: number;
  /** Diversity of what was written, and of the twin's answers in the same steps: the measure beside it. */
  written: TextDiversity;
  expected: TextDiversity;
  mauve: Mauve;
  sameCall: { written: SameCall; expected: SameCall };
}

/** Texts of one simulator. How many they are at most is `KEPT_TEXTS`, however long the batch is. */
export class Texts {
  readonly #pairs: TextPair[] = [];
  /** Answers to first calls, by task and call. */
  readonly #first = new Map<string, TextPair[]>();

  add({ job, detail }: JobRecord): void {
    for (const { step, written, expected } of detail?.texts ?? []) {
      this.#pairs.push({ written, expected });
      if (step > 0 || !detail?.first) continue;
      const key = `${job.family}/${job.worldSeed}/${job.difficulty}/${job.agent}/${detail.first.call}`;
      const calls = this.#first.get(key);
      if (calls) calls.push({ written, expected });
      else this.#first.set(key, [{ written, expected }]);
    }
  }

  table(): TextTable {
    const pairs = this.#pairs;
    const repeated = [...this.#first.values()].filter((answers) => answers.length >= 2);
    return {
      kept: pairs.length,
      written: textDiversity(pairs.map(({ written }) => written)),
      expected: textDiversity(pairs.map(({ expected }) => expected)),
      mauve: textMauve(pairs),
      sameCall: { written: sameCall(repeated, 'written'), expected: sameCall(repeated, 'expected') },
    };
  }
}

function sameCall(calls: readonly (readonly TextPair[])[], side: keyof TextPair): SameCall {
  const all = calls.map((answers) => answers.map((pair) => pair[side]));
  const mean = (of: (texts: readonly string[]) => number) =>
    all.length === 0 ? null : all.reduce((sum, texts) => sum + of(texts), 0) / all.length;
  const total = (of: (texts: readonly string[]) => Ratio) =>
    all.map(of).reduce((a, b) => ({ sum: a.sum + b.sum, n: a.n + b.n }), { sum: 0, n: 0 });
  return {
    calls: all.length,
    answers: all.reduce((sum, texts) => sum + texts.length, 0),
    selfBleu: mean((texts) => selfBleu(texts).mean ?? 0),
    vendi: mean((texts) => vendiOfTexts(texts).score),
    different: total((texts) => ({ sum: new Set(texts).size, n: texts.length })),
    distinct1: total((texts) => distinct(texts, 1)),
  };
}
