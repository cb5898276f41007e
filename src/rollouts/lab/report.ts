/** The report of a batch: one HTML file with tables and charts that loads nothing from anywhere. */
import type { LabResults, LabTimings } from './aggregate';
import type { Detail, LabTable } from './cell';
import type { ConsistencyRatio } from './compare';
import { barChart, lineChart, pointChart, type Point, type Series } from './charts';
import { escape, fixed, htmlTable, scriptJson, shareCell } from './markup';
import { seedsOf, type LabSpec } from './spec';

/** Metrics of the tables by family; the table of all has every one. */
const HEADLINE = ['parseOk', 'statusMatch', 'observationExact', 'deltaExactChanged', 'answerExact', 'leafF1'];

const STYLE = `:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
.scroll{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0}th,td{padding:.25rem .7rem;border-bottom:1px solid #8884;text-align:right;white-space:nowrap}
th[scope=row],thead th:first-child{text-align:left}small{opacity:.75}.none{opacity:.55}
figure{margin:1.5rem 0}figcaption{font-weight:600}svg{max-width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:currentColor}
.grid{stroke:#8884}.whisker{stroke:currentColor;fill:none}.key span{margin-right:1.2rem}.key i{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border-radius:2px}
pre{overflow:auto;padding:.8rem;border:1px solid #8884;border-radius:6px}.warn{border-left:4px solid #b25e00;padding-left:.8rem}`;

/**
 * The report as HTML. Everything that is not this file's own is escaped; the results stand in it as JSON as well
 * (`#results`), so that the numbers of the tables can be read to the digit.
 */
export function htmlReport(results: LabResults, timings: LabTimings): string {
  const { spec, jobs, bootstrap } = results;
  const body = [
    `<h1>${escape(spec.title)}</h1>`,
    `<p>${escape(describe(spec))}</p>`,
    jobs.done < jobs.total
      ? `<p class="warn">The batch is not finished: ${jobs.done} of ${jobs.total} rollouts are done, and the tables are of these.</p>`
      : `<p>All ${jobs.total} rollouts are done.</p>`,
    `<p>Shares come with 95% intervals and denominators. Intervals: bootstrap over worlds (${bootstrap.count} resamples, seed ` +
      `${bootstrap.seed}), or Wilson where all worlds agree or there is one only. Unparsable answers and failures of the ` +
      `machinery count 0 everywhere; for hallucinatedIds less is better. ${escape(historyLine(spec))}</p>`,
    '<h2>Simulators</h2>',
    overall(results),
    ...charts(results, timings),
    ...comparisons(results),
    '<h2>Families</h2>',
    ...spec.simulators.map(({ id }) => cutTable(results, id, 'families', 'family')),
    ...(spec.agents.length > 1
      ? ['<h2>Agents</h2>', ...spec.simulators.map(({ id }) => cutTable(results, id, 'agents', 'agent'))]
      : []),
    ...(spec.worlds.difficulties.length > 1
      ? [
          '<h2>Difficulties</h2>',
          ...spec.simulators.map(({ id }) => cutTable(results, id, 'difficulties', 'difficulty')),
        ]
      : []),
    '<h2>Costs</h2>',
    costs(results, timings),
    '<h2>What ran</h2>',
    models(results),
    `<details><summary>The spec</summary><pre>${escape(JSON.stringify(spec, null, 2))}</pre></details>`,
    `<script type="application/json" id="results">${scriptJson(results)}</script>`,
  ];
  const head = [
    '<meta charset="utf-8">',
    // Nothing is loaded and nothing runs, whatever a title or a model's answer tries.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${escape(spec.title)}: Terrarium batch</title>`,
    `<style>${STYLE}</style>`,
  ];
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.join('\n')}\n</head>\n<body>\n${body.join('\n')}\n</body>\n</html>\n`;
}

function describe({ worlds, simulators, agents, seeds, steps, directives, faults }: LabSpec): string {
  const n = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
  return (
    `${n(worlds.families.length, 'family', 'families')}, ${n(seedsOf(worlds.seeds).length, 'world', 'worlds')} each at ` +
    `difficulty ${worlds.difficulties.join(', ')}; simulators ${simulators.map(({ id }) => id).join(', ')}; agents ` +
    `${agents.map(({ id }) => id).join(', ')}; ${n(seedsOf(seeds).length, 'seed', 'seeds')}; ${n(steps, 'step', 'steps')} at ` +
    `most; directives ${directives || 'none'}; faults ${faults ?? 'none'}.`
  );
}

function historyLine({ history }: LabSpec): string {
  return history === 'free'
    ? 'Lanes run free: each answers in the state its own answers made, and the twin answers in that state too.'
    : 'Teacher-forced: every answer follows the history of the twin, so a rollout has no success of its own.';
}

function overall({ simulators, consistency }: LabResults): string {
  const ids = Object.keys(simulators);
  const row = (name: string, cell: (table: LabTable, id: string) => string) => [
    escape(name),
    ...ids.map((id) => cell((simulators[id] as { all: LabTable }).all, id)),
  ];
  const detail = (name: string, of: (table: LabTable) => Detail | undefined) =>
    row(name, (table) => shareCell(of(table) ?? { sum: 0, n: 0, mean: null, interval: null }));
  const first = simulators[ids[0] ?? '']?.all;
  return htmlTable(
    'All rollouts',
    ['', ...ids.map(escape)],
    [
      row('rollouts', ({ n }) => String(n)),
      row('worlds', ({ worlds }) => String(worlds)),
      row('steps', ({ steps }) => String(steps)),
      row('steps without truth', ({ noTruth }) => String(noTruth)),
      row('steps that failed', failuresOf),
      detail('success (in the lane)', ({ success }) => success),
      detail('success (its actions in the twin)', ({ real }) => real),
      detail('confirmed (of those done in the lane)', ({ confirmed }) => confirmed),
      detail('lane and twin agree on success', ({ agreement }) => agreement),
      row('consistency ratio', (_, id) => ratioCell(consistency[id])),
      detail('progress', ({ progress }) => progress),
      detail('diverged', ({ diverged }) => diverged),
      detail('state diverged', ({ stateDiverged }) => stateDiverged),
      row('median steps until it diverges', ({ medianSurvival: at }) => (at === null ? 'not seen' : String(at))),
      ...Object.keys(first?.metrics ?? {}).map((name) => detail(name, ({ metrics }) => metrics[name])),
    ],
  );
}

/** A ratio that may exceed 1, so its parts are no share. */
function ratioCell(part: ConsistencyRatio | undefined): string {
  const detail = part && { sum: part.sum, n: part.n, mean: part.ratio, interval: part.interval };
  return shareCell(detail ?? { sum: 0, n: 0, mean: null, interval: null });
}

function comparisons({ comparisons: all }: LabResults): string[] {
  if (all.length === 0) return [];
  const rows = all.map((one) => [
    escape(`${one.first} against ${one.second}`),
    escape(one.metric),
    fixed(one.difference),
    one.interval ? `[${fixed(one.interval[0])}, ${fixed(one.interval[1])}]` : 'none',
    `${one.firstBetter} / ${one.secondBetter} of ${one.worlds}`,
    fixed(one.p),
    fixed(one.pHolm),
  ]);
  const head = ['', 'metric', 'difference', '95%', 'worlds better / worse', 'p', 'p (Holm)'];
  const caption = 'First minus second on the worlds both have done; paired bootstrap and sign test over worlds';
  return ['<h2>Comparisons</h2>', htmlTable(caption, head, rows)];
}

function failuresOf({ failures }: LabTable): string {
  const parts = Object.entries(failures).map(([code, n]) => `${code} ${n}`);
  return parts.length === 0 ? '0' : escape(parts.join(', '));
}

function cutTable(results: LabResults, id: string, cut: 'families' | 'agents' | 'difficulties', name: string): string {
  const tables = Object.entries(results.simulators[id]?.[cut] ?? {});
  const head = [name, 'rollouts', 'steps', 'success', 'in the twin', 'diverged', 'median steps', ...HEADLINE];
  const rows = tables.map(([key, table]) => [
    escape(key),
    String(table.n),
    String(table.steps),
    shareCell(table.success),
    shareCell(table.real),
    shareCell(table.diverged),
    table.medianSurvival === null ? 'not seen' : String(table.medianSurvival),
    ...HEADLINE.map((metric) => shareCell(table.metrics[metric] ?? { sum: 0, n: 0, mean: null, interval: null })),
  ]);
  return htmlTable(`${id}, by ${name}`, head.map(escape), rows);
}

function charts({ simulators, spec }: LabResults, timings: LabTimings): string[] {
  const entries = Object.entries(simulators);
  const series = (points: (table: LabTable, id: string) => Point[]): Series[] =>
    entries.map(([name, cut]) => ({ name, points: points(cut.all, name) }));
  const exact = ({ exactByStep }: LabTable): Point[] =>
    exactByStep.flatMap(({ step, mean, interval }) => (mean === null ? [] : [{ x: step, y: mean, interval }]));
  const { families } = spec.worlds;
  const byFamily = entries.map(([name, cut]) => ({
    name,
    points: families.flatMap((family, x) => {
      const { mean = null, interval = null } = cut.families[family]?.metrics['answerExact'] ?? {};
      return mean === null ? [] : [{ x, y: mean, interval }];
    }),
  }));
  const quality = series(({ metrics }, id) => {
    const { mean = null, interval = null } = metrics['answerExact'] ?? {};
    const ms = timings.simulators[id]?.all.ms ?? null;
    return mean === null || ms === null ? [] : [{ x: Math.round(ms * 10) / 10, y: mean, interval }];
  });
  return [
    lineChart('Rollouts that are still exact after k steps', 'steps', series(survivalPoints)),
    lineChart('Answers that are exact, by step', 'step', series(exact)),
    barChart('Exact answers, by family', families, byFamily),
    pointChart('Exact answers against time', 'milliseconds a step', quality),
  ];
}

function survivalPoints({ survival }: LabTable): Point[] {
  const start: Point[] = survival.length > 0 ? [{ x: 0, y: 1, interval: null }] : [];
  return [...start, ...survival.map(({ step, share, interval }) => ({ x: step, y: share, interval }))];
}

function costs({ simulators }: LabResults, timings: LabTimings): string {
  const head = [
    'per step',
    'passes',
    'tokens written',
    'answer positions',
    'positions in all',
    'prefill positions',
    'ms',
  ];
  const rows = Object.entries(simulators).map(([id, { all }]) => {
    const time = timings.simulators[id]?.all;
    const { nfe, generatedTokens, answerTokens } = all.cost;
    const machine = [time?.forwardTokens, time?.prefillTokens, time?.ms];
    return [escape(id), ...[nfe, generatedTokens, answerTokens, ...machine].map((x) => fixed(x ?? null, 1))];
  });
  return htmlTable('Means per step; those from "positions in all" on depend on what ran before', head, rows);
}

function models({ models: infos }: LabResults): string {
  const rows = Object.entries(infos).map(([id, info]) => {
    const cells = info
      ? [info.kind, info.version, info.runtime, info.provider, String(info.parameters ?? 'unknown')]
      : ['twin', '', '', '', ''];
    return [id, ...cells].map(escape);
  });
  return htmlTable('Models', ['', 'kind', 'version', 'runtime', 'provider', 'parameters'], rows);
}
