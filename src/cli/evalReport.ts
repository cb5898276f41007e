/** An evaluation as people read it. */
import type { Summary, Table } from '../metrics';
import { METRIC_NAMES } from '../metrics';
import { answerText, callText, directivesText } from '../world/codec';
import { SLOTS } from '../world/types';
import type { Answered, ConstraintSums, Sampling } from './evaluate';

/** What ran, beside its numbers. */
export interface RunInfo {
  version?: string;
  runtime?: string;
  provider?: string;
  parameters?: number | null;
  /** Milliseconds until the model could answer, and of the whole evaluation. */
  loadMs?: number;
  wallMs: number;
  /** What the schema constraint did, where it was on. */
  constraint?: ConstraintSums;
}

/** A simulator's part of the report: its numbers, or why there are none. */
export type ModelReport = (Summary & { run: RunInfo }) | { error: { code: string; message: string; advice: string } };

export interface Report {
  split: string;
  n: number;
  seed: number;
  temperature: number;
  topP: number;
  threshold: number;
  /** All settings of the answers but the seed; what was not asked for is absent. */
  settings: Omit<Sampling, 'seed'>;
  /** Steps whose true answer fits no trained window, so that no model can be right; null without a tokenizer. */
  overLayout: number | null;
  tokenizerSha256: string | null;
  models: { [name: string]: ModelReport };
}

const COSTS = ['nfe', 'generatedTokens', 'forwardTokens', 'prefillTokens', 'ms', 'prefillMs'] as const;
/** Metrics of the table by family. */
const BY_FAMILY = [
  'parseOk',
  'statusMatch',
  'observationExact',
  'observationExactSuccess',
  'deltaExact',
  'deltaExactChanged',
  'leafF1',
] as const;

/** The sampler of the MDLM with its parameters; without one, `threshold` at the confidence of the report. */
function samplerText({ settings, threshold }: Report): string {
  const { name, ...values } = settings.sampler ?? { name: 'threshold', threshold };
  return [name, ...Object.entries(values).map(([key, value]) => `${key} ${value}`)].join(' ');
}

/** The whole report as text: one table of all models, one of each model's families, one of deltas by size. */
export function formatReport(report: Report): string {
  const models = Object.entries(report.models);
  const scored = models.filter((entry): entry is [string, Extract<ModelReport, Summary>] => !('error' in entry[1]));
  const parts = [
    `split ${report.split}, ${report.n} transitions, seed ${report.seed}, temperature ${report.temperature}, ` +
      `top-p ${report.topP}, sampler ${samplerText(report)}` +
      (report.overLayout === null ? '' : `; ${report.overLayout} true answers fit no window`),
    grid([
      ['', ...scored.map(([name]) => name)],
      ...(['n', 'episodes', 'successN', 'changedN'] as const).map((key) => [
        key,
        ...scored.map(([, model]) => String(model[key])),
      ]),
      ...METRIC_NAMES.map((name) => [name, ...scored.map(([, model]) => withInterval(model, name))]),
      ...COSTS.map((name) => [`${name} (mean)`, ...scored.map(([, model]) => number(model[name], 1))]),
    ]),
    'Intervals: 95%, bootstrap over trajectories, or Wilson (w) where all of them agree. Unparsable answers count 0\n' +
      'everywhere; for hallucinatedIds and wrong... less is better.',
  ];
  for (const [name, model] of scored) {
    parts.push(
      `${name}, by family`,
      grid([
        ['', 'n', ...BY_FAMILY],
        ...Object.entries(model.families).map(([family, table]) => [
          family,
          String(table.n),
          ...BY_FAMILY.map((metric) => `${number(table[metric])} of ${table.intervals[metric].n}`),
        ]),
      ]),
      `${name}, delta exact by changed fields: ` +
        Object.entries(model.byChangedFields)
          .map(([fields, { n, exact }]) => `${fields}: ${number(exact)} of ${n}`)
          .join(', '),
    );
  }
  for (const [name, model] of models) {
    if ('error' in model) parts.push(`${name} did not run: ${model.error.message} ${model.error.advice}`);
  }
  return `${parts.join('\n\n')}\n`;
}

/** A mean with its interval. Where all trajectories agree there is no bootstrap, and Wilson's stands in. */
function withInterval(table: Table, name: (typeof METRIC_NAMES)[number]): string {
  const { bootstrap, wilson } = table.intervals[name];
  const interval = bootstrap ?? wilson;
  if (!interval) return number(table[name]);
  return `${number(table[name])} [${number(interval[0])}, ${number(interval[1])}]${bootstrap ? ' ' : 'w'}`;
}

function number(value: number | null, digits = 3): string {
  return value === null ? '-' : value.toFixed(digits);
}

/** Rows in columns of equal width: the first to the left, numbers to the right. */
function grid(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .map((line) => line.trimEnd())
    .join('\n');
}

/**
 * Answers beside the true ones: `count` of them, spread evenly over the evaluation.
 * @param wrongOnly only answers that are not exact
 */
export function formatExamples(name: string, all: readonly Answered[], count: number, wrongOnly: boolean): string {
  const pool = wrongOnly ? all.filter(({ row }) => row.score.answerExact === 0) : all;
  const some = Array.from({ length: Math.min(count, pool.length) }, (_, i) =>
    formatExample(name, pool[Math.floor((i * pool.length) / Math.min(count, pool.length))] as Answered),
  );
  return some.length === 0 ? `${name}: no ${wrongOnly ? 'wrong ' : ''}answers to show\n` : some.join('\n');
}

function formatExample(name: string, { step, answer, row }: Answered): string {
  const expected = answerText(step.truth);
  const directives = directivesText(step.directives);
  const lines = [
    `${name} · trajectory ${step.run} step ${step.index} · ${step.family} · ${step.behaviour} · ` +
      (row.score.answerExact === 1 ? 'exact' : row.score.parseOk === 1 ? 'wrong' : 'unparsable'),
    `  call        ${callText(step.action)}${directives === '' ? '' : `   under ${directives}`}`,
  ];
  for (const slot of SLOTS) {
    const same = expected[slot] === answer.text[slot];
    lines.push(`  ${slot.padEnd(11)} ${JSON.stringify(expected[slot])}`);
    if (!same) lines.push(`  ${'  predicted'.padEnd(11)} ${JSON.stringify(answer.text[slot])}`);
  }
  for (const { slot, message } of answer.parseErrors) lines.push(`  ${slot} does not parse: ${message}`);
  const { nfe, forwardTokens, ms } = answer.cost;
  lines.push(`  ${nfe} passes, ${forwardTokens} forward tokens, ${ms.toFixed(0)} ms`);
  return `${lines.join('\n')}\n`;
}
