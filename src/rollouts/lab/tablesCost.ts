/** Tables of what it cost, of models on equal terms, and of what ran. */
import type { LabResults, LabTimings } from './aggregate';
import type { Fair, FairMode } from './fair';
import { number, text, type ResultTable } from './tables';
import { rangeText } from './tablesQuality';

const MODES: { readonly [mode in FairMode]: { name: string; unit: string } } = {
  best: { name: 'each at its best', unit: 'passes' },
  nfe: { name: 'equal passes', unit: 'passes' },
  ms: { name: 'equal time', unit: 'ms' },
};

/** How a pair of lanes came to stand for their models. */
function chosenText({ mode, among: [first, second], chosenOn }: Fair): string {
  const only = first.length === 1 && second.length === 1;
  if (mode === 'best') return only ? 'one setting of each was run' : `chosen on ${chosenOn} other worlds`;
  if (only) return 'nothing to choose from: add best-of-n lanes';
  return `nearest of ${Math.max(first.length, second.length)} lanes`;
}

/** One table for all pairs of models and all modes; none where the batch has fewer than two models. */
export function fairTables({ fair }: LabResults, timings: LabTimings): ResultTable[] {
  const all = [...fair, ...timings.fair];
  if (all.length === 0) return [];
  return [
    {
      title: 'Exact answers of models on equal terms',
      head: [
        ...['', 'first', 'second', 'difference', '95%', 'worlds better / worse', 'p'],
        ...['cost a step', 'ratio', 'ratio before', 'how'],
      ],
      rows: all.map((one) => ({
        label: MODES[one.mode].name,
        cells: [
          text(one.first),
          text(one.second),
          number(one.difference, 3),
          text(rangeText(one.interval)),
          text(`${one.firstBetter} / ${one.secondBetter} of ${one.worlds}`),
          number(one.p, 4),
          text(`${one.cost.first.toFixed(1)} / ${one.cost.second.toFixed(1)} ${MODES[one.mode].unit}`),
          number(one.cost.ratio, 2),
          number(one.before, 2),
          text(chosenText(one)),
        ],
      })),
    },
  ];
}

export function costTables({ spec, simulators }: LabResults, timings: LabTimings): ResultTable[] {
  return [
    {
      title: 'Means per step',
      head: [
        ...['', 'steps', 'passes', 'tokens written', 'answer positions', 'positions in all', 'prefill positions'],
        ...['ms', 'ms of it prefill', 'tokens a second'],
      ],
      rows: spec.simulators.map(({ id }) => {
        const cost = simulators[id]?.all.cost;
        const time = timings.simulators[id]?.all;
        const pace = cost?.generatedTokens && time?.ms ? (cost.generatedTokens / time.ms) * 1000 : null;
        const values = [
          ...[cost?.nfe, cost?.generatedTokens, cost?.answerTokens, time?.forwardTokens, time?.prefillTokens],
          ...[time?.ms, time?.prefillMs, pace],
        ];
        const steps = text(String(simulators[id]?.all.steps ?? 0));
        return { label: id, cells: [steps, ...values.map((value) => number(value, 1))] };
      }),
    },
  ];
}

export function whatRan({ models, regimes }: LabResults): ResultTable {
  return {
    title: 'Models',
    head: ['', 'kind', 'version', 'runtime', 'provider', 'parameters', 'sampling'],
    rows: Object.entries(models).map(([id, info]) => {
      const cells = info
        ? [info.kind, info.version, info.runtime, info.provider, String(info.parameters ?? 'unknown')]
        : ['twin', '', '', '', ''];
      return { label: id, cells: [...cells, regimes[id]?.text ?? ''].map(text) };
    }),
  };
}
