/**
 * The tables of a batch as data: which numbers stand where, with their denominators, and why one that is missing is missing. The
 * report and the page draw the same tables, so they cannot say different things.
 */
import type { Interval } from '../../metrics';
import type { LabResults, LabTimings } from './aggregate';
import { costTables, fairTables, whatRan } from './tablesCost';
import { comparisonTable, cutTables, outcomeTable, qualityTables } from './tablesQuality';
import { calibrationTables, diversityTables, seedTables } from './tablesSeeds';
import { seedsOf, type LabSpec } from './spec';

/** A share with its interval and denominator; the parts of a ratio, which may exceed 1, look the same. */
export interface ShareCell {
  kind: 'share';
  sum: number;
  n: number;
  mean: number | null;
  interval: Interval | null;
}

export type ResultCell =
  | ShareCell
  /** A number that is no share: a cost, a score in other units. */
  | { kind: 'number'; value: number | null; digits: number; interval?: Interval | null; n?: number }
  | { kind: 'text'; text: string }
  /** A number that is not shown, and why. */
  | { kind: 'hidden'; reason: string };

export interface ResultRow {
  label: string;
  /** What the number is. */
  about?: string;
  cells: ResultCell[];
}

export interface ResultTable {
  title: string;
  /** What has to be known to read it. */
  note?: string;
  /** Heads of all columns, that of the labels first. */
  head: string[];
  rows: ResultRow[];
}

export interface ResultSection {
  id: 'outcome' | 'quality' | 'comparisons' | 'fair' | 'seeds' | 'diversity' | 'calibration' | 'cuts' | 'costs' | 'ran';
  title: string;
  notes: string[];
  tables: ResultTable[];
}

export const text = (value: string): ResultCell => ({ kind: 'text', text: value });
export const share = (part: Omit<ShareCell, 'kind'>): ShareCell => {
  const { sum, n, mean, interval } = part;
  return { kind: 'share', sum, n, mean, interval };
};
export const number = (value: number | null | undefined, digits: number, interval?: Interval | null): ResultCell => ({
  kind: 'number',
  value: value ?? null,
  digits,
  ...(interval === undefined ? {} : { interval }),
});
export const hidden = (reason: string): ResultCell => ({ kind: 'hidden', reason });

/** All tables of a batch, section by section; sections with nothing in them are left out. */
export function resultSections(results: LabResults, timings: LabTimings): ResultSection[] {
  const sections: ResultSection[] = [
    {
      id: 'outcome',
      title: 'Outcomes',
      notes: [historyLine(results.spec)],
      tables: [outcomeTable(results)],
    },
    {
      id: 'quality',
      title: 'Quality of the steps',
      notes: [
        'Quality is meant to be measured under the samplers threshold or speculative (an AR model: greedily). Each column states its own setting. ' +
          'Unparsable answers and failures of the machinery count 0 everywhere.',
      ],
      tables: qualityTables(results),
    },
    {
      id: 'comparisons',
      title: 'Comparisons',
      notes: [
        'First minus second on the worlds both have done. Interval: paired bootstrap over worlds. p: permutation test over ' +
          'worlds, beside it Wilcoxon signed-rank and sign test; p is adjusted over all rows of this table (Holm).',
      ],
      tables: results.comparisons.length > 0 ? [comparisonTable(results)] : [],
    },
    {
      id: 'fair',
      title: 'On equal terms',
      notes: [
        'One lane stands for each model. Each at its best: the settings with most exact answers, chosen on half of the worlds and ' +
          'judged on the other half. Equal passes and equal time: the dearer model as it comes, against the lane of the cheaper one ' +
          'whose measured cost a step is nearest (best-of-n where the batch has such lanes). The ratio is what was measured. p is not ' +
          'adjusted for the number of rows.',
      ],
      tables: fairTables(results, timings),
    },
    {
      id: 'seeds',
      title: 'Seeds',
      notes: [
        'The same tasks under other draws of models, agents and faults. Success of several tries: pass@k that one of k succeeds, ' +
          'pass^k that all do; means over tasks.',
      ],
      tables: seedTables(results),
    },
    {
      id: 'diversity',
      title: 'Texts and diversity',
      notes: [
        'Diversity is meant to be measured under the sampler ancestral at temperature 1. Each column states its own setting, and the ' +
          'twin\'s answers to the same calls stand beside it as the measure. BLEU-1 and ROUGE-L rate "ok" against "error" at 0.95: ' +
          'they never stand alone.',
      ],
      tables: diversityTables(results),
    },
    {
      id: 'calibration',
      title: 'Calibration',
      notes: [
        "Confidence of an answer against whether it is exactly the twin's, and of the status slot against whether the status is. A " +
          "diffusion model's is the probability at the pass that wrote the token, so it depends on the order of writing.",
      ],
      tables: calibrationTables(results),
    },
    { id: 'cuts', title: 'Families, agents, difficulties', notes: [], tables: cutTables(results, timings) },
    {
      id: 'costs',
      title: 'Costs',
      notes: [
        'Means over the steps told. Positions in all, prefill and milliseconds depend on the machine and on what ran before; the rest does not.',
      ],
      tables: costTables(results, timings),
    },
    { id: 'ran', title: 'What ran', notes: [], tables: [whatRan(results)] },
  ];
  return sections.filter(({ tables }) => tables.length > 0);
}

/** The batch in a sentence. */
export function describeSpec({ worlds, simulators, agents, seeds, steps, directives, faults }: LabSpec): string {
  const n = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
  return (
    `${n(worlds.families.length, 'family', 'families')}, ${n(seedsOf(worlds.seeds).length, 'world', 'worlds')} each at ` +
    `difficulty ${worlds.difficulties.join(', ')}; simulators ${simulators.map(({ id }) => id).join(', ')}; agents ` +
    `${agents.map(({ id }) => id).join(', ')}; ${n(seedsOf(seeds).length, 'seed', 'seeds')}; ${n(steps, 'step', 'steps')} at ` +
    `most; directives ${directives || 'none'}; faults ${faults ?? 'none'}.`
  );
}

/** How the intervals came about. */
export function intervalLine({ bootstrap }: LabResults): string {
  return (
    `Shares come with 95% intervals and denominators. Intervals: bootstrap over worlds (${bootstrap.count} resamples, seed ` +
    `${bootstrap.seed}), or Wilson where all worlds agree or there is one only. Graded scores, differences and survival have none ` +
    `there: that worlds agree is no certainty.`
  );
}

function historyLine({ history }: LabSpec): string {
  return history === 'free'
    ? 'Lanes run free: each answers in the state its own answers made, and the twin answers in that state too.'
    : 'Teacher-forced: every answer follows the history of the twin, so a rollout has no success of its own.';
}
