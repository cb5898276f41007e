/** The report of a batch: one HTML file with tables and charts that loads nothing from anywhere. */
import type { LabResults, LabTimings } from './aggregate';
import { CHART_STYLE, CHART_WIDTH, figureHtml } from './charts';
import { cellHtml, escape, htmlTable, scriptJson } from './markup';
import {
  barFigure,
  curveFigure,
  exactByStepOfResults,
  familiesOfResults,
  paretoFigure,
  paretoOfResults,
  survivalOfResults,
} from './pictures';
import { describeSpec, intervalLine, resultSections, type ResultSection } from './tables';

const STYLE = `:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
.scroll{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0}th,td{padding:.25rem .7rem;border-bottom:1px solid #8884;text-align:right;white-space:nowrap}
th[scope=row],thead th:first-child{text-align:left}small{opacity:.75}.none{opacity:.55}
figure{margin:1.5rem 0}figcaption{font-weight:600}svg{max-width:100%;height:auto}
pre{overflow:auto;padding:.8rem;border:1px solid #8884;border-radius:6px}.warn{border-left:4px solid #b25e00;padding-left:.8rem}`;

/**
 * The report as HTML: the tables of `resultSections`, which the page shows as well. Everything that is not this file's own is
 * escaped; the results stand in it as JSON too (`#results`), so that the numbers of the tables can be read to the digit.
 */
export function htmlReport(results: LabResults, timings: LabTimings): string {
  const { spec, jobs } = results;
  const sections = resultSections(results, timings);
  const body = [
    `<h1>${escape(spec.title)}</h1>`,
    `<p>${escape(describeSpec(spec))}</p>`,
    jobs.done < jobs.total
      ? `<p class="warn">The batch is not finished: ${jobs.done} of ${jobs.total} rollouts are done, and the tables are of these.</p>`
      : `<p>All ${jobs.total} rollouts are done.</p>`,
    `<p>${escape(intervalLine(results))}</p>`,
    ...sections.flatMap((section) => [
      ...sectionHtml(section),
      ...(section.id === 'outcome' ? charts(results, timings) : []),
    ]),
    `<details><summary>The spec</summary><pre>${escape(JSON.stringify(spec, null, 2))}</pre></details>`,
    `<script type="application/json" id="results">${scriptJson(results)}</script>`,
  ];
  const head = [
    '<meta charset="utf-8">',
    // Nothing is loaded and nothing runs, whatever a title or a model's answer tries.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${escape(spec.title)}: Terrarium batch</title>`,
    `<style>${CHART_STYLE}${STYLE}</style>`,
  ];
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.join('\n')}\n</head>\n<body>\n${body.join('\n')}\n</body>\n</html>\n`;
}

function sectionHtml({ title, notes, tables }: ResultSection): string[] {
  return [
    `<h2>${escape(title)}</h2>`,
    ...notes.map((note) => `<p>${escape(note)}</p>`),
    ...tables.flatMap((table) => {
      const label = ({ label: name, about }: (typeof table.rows)[number]) =>
        about === undefined ? escape(name) : `<span title="${escape(about)}">${escape(name)}</span>`;
      const rows = table.rows.map((row) => [label(row), ...row.cells.map(cellHtml)]);
      const note = table.note === undefined ? [] : [`<p><small>${escape(table.note)}</small></p>`];
      return [htmlTable(table.title, table.head.map(escape), rows), ...note];
    }),
  ];
}

function charts(results: LabResults, timings: LabTimings): string[] {
  const pareto = paretoOfResults(results, timings, 'answerExact', 'ms');
  return [
    curveFigure(survivalOfResults(results), CHART_WIDTH),
    curveFigure(exactByStepOfResults(results), CHART_WIDTH),
    barFigure(familiesOfResults(results, 'answerExact'), CHART_WIDTH),
    paretoFigure(pareto, CHART_WIDTH),
  ].map(figureHtml);
}
