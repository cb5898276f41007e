/** Tables of what happened and how right it was. */
import { METRIC_NAMES, TEMPORAL_CHECKS } from '../../metrics';
import type { LabResults, LabTimings } from './aggregate';
import type { LabTable, TimingTable } from './cell';
import type { Detail } from './detail';
import { NOTHING } from './detail';
import { number, share, text, type ResultCell, type ResultRow, type ResultTable } from './tables';
import { METRIC_WORDS, TEMPORAL_WORDS } from './words';

/** Metrics of the tables by family; the table of all has every one. */
const HEADLINE = [
  ...['parseOk', 'statusMatch', 'observationExact', 'deltaExactChanged', 'answerExact', 'leafF1'],
] as const;

/** A row with a cell for each simulator, in the order of the spec. */
export function rowOf(
  { spec, simulators }: LabResults,
  label: string,
  cell: (table: LabTable, id: string) => ResultCell,
  about?: string,
): ResultRow {
  const cells = spec.simulators.map(({ id }) => {
    const table = simulators[id]?.all;
    return table ? cell(table, id) : text('none');
  });
  return { label, cells, ...(about === undefined ? {} : { about }) };
}

const idsOf = ({ spec }: LabResults) => spec.simulators.map(({ id }) => id);

/** How each simulator draws its answers: the first row of every table that depends on it. */
export function regimeRow(results: LabResults, meantFor: 'quality' | 'diversity'): ResultRow {
  return rowOf(results, 'sampling', (_, id) => {
    const regime = results.regimes[id];
    if (!regime) return text('not recorded');
    const other = regime.for !== meantFor && regime.for !== 'truth';
    return text(other ? `${regime.text} (not the setting for ${meantFor})` : regime.text);
  });
}

export function outcomeTable(results: LabResults): ResultTable {
  const row = (label: string, cell: (table: LabTable, id: string) => ResultCell, about?: string) =>
    rowOf(results, label, cell, about);
  const detail = (label: string, of: (table: LabTable) => Detail, about?: string) =>
    row(label, (table) => share(of(table)), about);
  return {
    title: 'All rollouts',
    head: ['', ...idsOf(results)],
    rows: [
      row('rollouts', ({ n }) => text(String(n))),
      row('worlds', ({ worlds }) => text(String(worlds)), 'the clusters of every interval'),
      row('steps', ({ steps }) => text(String(steps))),
      row(
        'steps without truth',
        ({ noTruth }) => text(String(noTruth)),
        'in no metric: the twin cannot execute the state',
      ),
      row(
        'steps that failed',
        ({ failures }) => text(failuresOf(failures)),
        'the machinery, by code; they count as wrong',
      ),
      detail('success (in the lane)', ({ success }) => success),
      detail('success (its actions in the twin)', ({ real }) => real, 'WM2Real'),
      detail('confirmed (of those done in the lane)', ({ confirmed }) => confirmed, 'done in the twin as well'),
      detail('lane and twin agree on success', ({ agreement }) => agreement),
      row(
        'consistency ratio',
        (_, id) => {
          const ratio = results.consistency[id];
          return share(ratio ? { ...ratio, mean: ratio.ratio } : NOTHING);
        },
        'success of its actions in the twin, over the success of acting in the twin; may exceed 1',
      ),
      detail('progress', ({ progress }) => progress, 'share of the checks that hold at the end'),
      detail('diverged', ({ diverged }) => diverged, 'rollouts with an answer that is not exact'),
      detail('state diverged', ({ stateDiverged }) => stateDiverged, 'rollouts with an answer that leads elsewhere'),
      row(
        'median steps until it diverges',
        ({ medianSurvival: at }) => text(at === null ? 'not seen' : String(at)),
        'Kaplan-Meier: rollouts that end early are censored',
      ),
    ],
  };
}

export function qualityTables(results: LabResults): ResultTable[] {
  const head = ['', ...idsOf(results)];
  const detail = (label: string, of: (table: LabTable) => Detail | undefined, about: string) =>
    rowOf(results, label, (table) => share(of(table) ?? NOTHING), about);
  const free = results.spec.history === 'free';
  const fields = Object.keys(Object.values(results.simulators)[0]?.all.byChangedFields ?? {});
  return [
    {
      title: 'Deterministic suite',
      head,
      rows: [
        regimeRow(results, 'quality'),
        ...METRIC_NAMES.map((name) => detail(name, ({ metrics }) => metrics[name], METRIC_WORDS[name])),
        rowOf(results, 'deltaExact of copying nothing', copyNothing, COPY_NOTHING),
      ],
    },
    {
      title: 'Exact deltas, by the number of fields the twin changes',
      head,
      rows: fields.map((n) => {
        const label = n === '1' ? '1 field' : n === '5+' ? '5 or more' : `${n} fields`;
        return detail(label, (table) => table.byChangedFields[n], 'exact deltas over steps that change so many fields');
      }),
    },
    {
      title: 'A world that agrees with itself',
      note: free
        ? 'Passed over asked, along rollouts; no twin is asked. Steps under directives are not asked.'
        : 'Not asked under teacher forcing: a forced lane has no history of its own.',
      head,
      rows: TEMPORAL_CHECKS.map((name) => detail(name, ({ temporal }) => temporal[name], TEMPORAL_WORDS[name])),
    },
    {
      title: 'Exact answers, by step',
      head,
      rows: stepsOf(results).map((step) => {
        const of = ({ exactByStep }: LabTable) => exactByStep.find((one) => one.step === step);
        return detail(`step ${step}`, of, 'whatever came before it');
      }),
    },
    {
      title: 'Rollouts that are still exact after k steps',
      note: 'Kaplan-Meier estimate with those at risk in the step.',
      head,
      rows: stepsOf(results).map((step) =>
        rowOf(results, `${step}`, ({ survival }) => {
          const point = survival.find((one) => one.step === step);
          if (!point) return text('none');
          return { kind: 'number', value: point.share, digits: 3, interval: point.interval, n: point.atRisk };
        }),
      ),
    },
  ].filter(({ rows }) => rows.length > 0);
}

const COPY_NOTHING =
  'the baseline: a world that changes nothing is exact wherever the twin changes nothing, in the same steps';

/** Exact deltas of a world that changes nothing: it is right in exactly the steps that the static split counts. */
function copyNothing({ metrics }: LabTable): ResultCell {
  const n = metrics['deltaExact']?.n ?? 0;
  const sum = metrics['deltaExactUnchanged']?.n ?? 0;
  return share({ sum, n, mean: n === 0 ? null : sum / n, interval: null });
}

export function comparisonTable({ comparisons }: LabResults): ResultTable {
  return {
    title: 'Every pair, metric by metric',
    head: ['', 'metric', 'difference', '95%', 'worlds better / worse', 'p (Holm)', 'p', 'Wilcoxon', 'sign'],
    rows: comparisons.map((one) => ({
      label: `${one.first} against ${one.second}`,
      cells: [
        text(one.metric),
        number(one.difference, 3),
        text(rangeText(one.interval)),
        text(`${one.firstBetter} / ${one.secondBetter} of ${one.worlds}`),
        number(one.pHolm, 4),
        number(one.p, 4),
        number(one.wilcoxonP, 4),
        number(one.signP, 4),
      ],
    })),
  };
}

/** Heads of the columns of `cutTables` behind the label. */
const CUT_HEAD = [
  ...['rollouts', 'steps', 'success', 'in the twin', 'diverged', 'median steps', ...HEADLINE],
  ...['passes a step', 'ms a step'],
];

/**
 * A table for each simulator and each way to cut the batch that has more than one part; families always. The first row is the
 * whole batch, so that a part is read against it.
 */
export function cutTables({ spec, simulators }: LabResults, timings: LabTimings): ResultTable[] {
  const cuts = [
    ['families', 'family', 1],
    ['agents', 'agent', spec.agents.length],
    ['difficulties', 'difficulty', spec.worlds.difficulties.length],
  ] as const;
  return cuts.flatMap(([cut, name, parts], i) =>
    i > 0 && parts < 2
      ? []
      : spec.simulators.map(({ id }) => {
          const tables = simulators[id];
          const times = timings.simulators[id];
          const rows: ResultRow[] = Object.entries(tables?.[cut] ?? {}).map(([key, table]) => ({
            label: key,
            cells: cutCells(table, times?.[cut][key]),
          }));
          const all = tables && rows.length > 1 ? [{ label: 'all', cells: cutCells(tables.all, times?.all) }] : [];
          return { title: `${id}, by ${name}`, head: [name, ...CUT_HEAD], rows: [...all, ...rows] };
        }),
  );
}

function cutCells(table: LabTable, time: TimingTable | undefined): ResultCell[] {
  const { n, steps, noTruth, medianSurvival: median, metrics, cost } = table;
  return [
    text(String(n)),
    text(noTruth > 0 ? `${steps}, ${noTruth} without truth` : String(steps)),
    share(table.success),
    share(table.real),
    share(table.diverged),
    text(median === null ? 'not seen' : String(median)),
    ...HEADLINE.map((metric) => share(metrics[metric] ?? NOTHING)),
    number(cost.nfe, 1),
    number(time?.ms, (time?.ms ?? 0) < 10 ? 2 : 0),
  ];
}

/** An interval as text. */
export function rangeText(interval: readonly [number, number] | null, digits = 3): string {
  return interval ? `[${interval[0].toFixed(digits)}, ${interval[1].toFixed(digits)}]` : 'none';
}

function failuresOf(failures: LabTable['failures']): string {
  const parts = Object.entries(failures).map(([code, n]) => `${code} ${n}`);
  return parts.length === 0 ? '0' : parts.join(', ');
}

function stepsOf({ simulators }: LabResults): number[] {
  const most = Object.values(simulators).reduce((n, { all }) => Math.max(n, all.exactByStep.length), 0);
  return Array.from({ length: most }, (_, i) => i + 1);
}
