/** Tables over seeds, texts and confidences: what a mean over steps does not tell. */
import { MAUVE_LEAST, type Spread } from '../../metrics';
import type { LabResults } from './aggregate';
import { SURENESS } from './records';
import type { SeedTable } from './seeds';
import { hidden, share, text, type ResultCell, type ResultRow, type ResultTable } from './tables';
import { regimeRow, rowOf } from './tablesQuality';
import type { TextTable } from './texts';

const idsOf = ({ spec }: LabResults) => spec.simulators.map(({ id }) => id);
const ONE_SEED = 'one seed only: give the spec several seeds';

export function seedTables(results: LabResults): ResultTable[] {
  const head = ['', ...idsOf(results)];
  const row = (label: string, cell: (table: SeedTable) => ResultCell, about?: string) =>
    rowOf(
      results,
      label,
      (_, id) => {
        const table = results.seeds[id];
        return table ? cell(table) : text('none');
      },
      about,
    );
  const spread = (name: string, of: (table: SeedTable) => Spread): ResultRow[] => [
    row(`${name}, standard deviation over seeds`, (table) => spreadCell(of(table), 'within'), 'mean over tasks'),
    row(`${name}, largest minus smallest`, (table) => spreadCell(of(table), 'range'), 'mean over tasks'),
    row(
      `${name}, single seeds from`,
      (table) => spreadCell(of(table), 'lowest'),
      'lowest mean of one seed over all tasks',
    ),
    row(`${name}, to`, (table) => spreadCell(of(table), 'highest'), 'highest mean of one seed over all tasks'),
  ];
  const first = Object.values(results.seeds)[0];
  const free = results.spec.history === 'free';
  const ks = [...new Set(Object.values(results.seeds).flatMap(({ passes }) => passes.map(({ k }) => k)))];
  if (!first) return [];
  const rates = (of: 'success' | 'real', name: string): ResultRow[] =>
    ks.flatMap((k) => {
      const rate = (table: SeedTable) => table.passes.find((one) => one.of === of && one.k === k);
      const cell = (part: 'any' | 'every') => (table: SeedTable) => {
        const found = rate(table);
        return found && found[part].n > 0 ? share(found[part]) : hidden(`no task has ${k} tries`);
      };
      return [
        row(`pass@${k}, ${name}`, cell('any'), `one of ${k} tries succeeds`),
        row(`pass^${k}, ${name}`, cell('every'), `all of ${k} tries succeed`),
      ];
    });
  return [
    {
      title: 'Spread over seeds',
      head,
      rows: [
        row('tasks', ({ tasks }) => text(String(tasks)), 'a world with an agent'),
        row('seeds', ({ seeds }) => text(String(seeds))),
        ...spread('exact answers', (table) => table.spread.answerExact),
        ...(free ? spread('success', (table) => table.spread.success) : []),
        row(
          'two seeds answer a first call alike',
          ({ agreement: { agreement, n } }) =>
            agreement === null ? hidden(ONE_SEED) : { kind: 'number', value: agreement, digits: 3, n },
          'Simpson agreement of whole answers, mean over the first calls that several seeds were asked',
        ),
      ],
    },
    ...(free
      ? [
          {
            title: 'Success of several tries',
            head,
            rows: [...rates('success', 'in the lane'), ...rates('real', 'in the twin')],
          },
        ]
      : []),
  ];
}

function spreadCell(spread: Spread, part: 'within' | 'range' | 'lowest' | 'highest'): ResultCell {
  const value = spread[part];
  return value === null ? hidden(ONE_SEED) : { kind: 'number', value, digits: 3, n: spread.n };
}

export function diversityTables(results: LabResults): ResultTable[] {
  const head = ['', ...idsOf(results)];
  const row = (label: string, cell: (table: TextTable) => ResultCell, about?: string) =>
    rowOf(
      results,
      label,
      (_, id) => {
        const table = results.texts.simulators[id];
        return table && table.kept > 0 ? cell(table) : hidden('no texts were kept');
      },
      about,
    );
  const pairs = (
    label: string,
    of: (table: TextTable, side: 'written' | 'expected') => ResultCell,
    about: string,
  ): ResultRow[] => [
    row(label, (table) => of(table, 'written'), about),
    row(`${label}, of the twin there`, (table) => of(table, 'expected'), 'the measure beside it: the same calls'),
  ];
  const counted = (value: number | null, n: number, digits = 1): ResultCell =>
    value === null ? hidden('fewer than two texts') : { kind: 'number', value, digits, n };
  const { share: kept } = results.texts;
  return [
    {
      title: 'Overlap with the twin’s observations',
      head,
      rows: [
        regimeRow(results, 'quality'),
        rowOf(
          results,
          'BLEU-1',
          ({ bleu1: { score, interval, written } }) =>
            score === null ? hidden('no texts') : { kind: 'number', value: score, digits: 1, interval, n: written },
          'corpus BLEU-1 in [0, 100], sacrebleu 13a; its denominator is tokens written',
        ),
        rowOf(results, 'ROUGE-L', ({ rougeL }) => share(rougeL), 'mean F1 over observations'),
        row(
          'MAUVE-style',
          ({ mauve }) =>
            mauve.score === null
              ? hidden(`needs ${MAUVE_LEAST} texts a side, there are ${Math.min(...mauve.n)}`)
              : { kind: 'number', value: mauve.score, digits: 3, n: Math.min(...mauve.n) },
          'hashed n-grams, not a language model: compares within this table only',
        ),
        row(
          'MAUVE-style, smoothed',
          ({ mauve }) =>
            mauve.smoothed === null
              ? hidden(`needs ${MAUVE_LEAST} texts a side, there are ${Math.min(...mauve.n)}`)
              : { kind: 'number', value: mauve.smoothed, digits: 3, n: Math.min(...mauve.n) },
          'counts raised by one half: less optimistic with few texts',
        ),
      ],
    },
    {
      title: 'Diversity of observations, over all calls',
      note:
        kept < 1
          ? `From a sample of ${(kept * 100).toFixed(1)}% of the steps, drawn by situation and the same for all simulators.`
          : 'From all steps with truth.',
      head,
      rows: [
        regimeRow(results, 'diversity'),
        row('texts', ({ kept: n }) => text(String(n))),
        ...pairs(
          'Self-BLEU',
          (t, side) => counted(t[side].selfBleu, t[side].used),
          'in [0, 100]; lower is more diverse',
        ),
        ...pairs(
          'Distinct-1',
          (t, side) => share(ratio(t[side].distinct1)),
          'different words over words; falls with length',
        ),
        ...pairs('Distinct-2', (t, side) => share(ratio(t[side].distinct2)), 'different pairs of words over pairs'),
        ...pairs(
          'Vendi',
          (t, side) => counted(t[side].vendi, t[side].used),
          'how many different texts, at most their number',
        ),
      ],
    },
    {
      title: 'Diversity of the answers to one call, under several seeds',
      head,
      rows: [
        regimeRow(results, 'diversity'),
        row(
          'first calls',
          ({ sameCall: { written } }) => text(String(written.calls)),
          'asked under at least two seeds',
        ),
        ...pairs(
          'different answers',
          (t, side) => seedsCell(t, share(ratio(t.sameCall[side].different))),
          'over answers',
        ),
        ...pairs(
          'Self-BLEU',
          (t, side) => seedsCell(t, counted(t.sameCall[side].selfBleu, t.sameCall[side].calls)),
          'mean over calls; lower is more diverse',
        ),
        ...pairs(
          'Distinct-1',
          (t, side) => seedsCell(t, share(ratio(t.sameCall[side].distinct1))),
          'words of the answers to one call',
        ),
        ...pairs(
          'Vendi',
          (t, side) => seedsCell(t, counted(t.sameCall[side].vendi, t.sameCall[side].calls, 2)),
          'mean over calls: how many different answers',
        ),
      ],
    },
  ];
}

function seedsCell({ sameCall }: TextTable, cell: ResultCell): ResultCell {
  return sameCall.written.calls === 0 ? hidden(ONE_SEED) : cell;
}

function ratio({ sum, n }: { sum: number; n: number }) {
  return { sum, n, mean: n === 0 ? null : sum / n, interval: null };
}

const SURENESS_WORDS: { readonly [by in (typeof SURENESS)[number]]: string } = {
  mean: 'mean of the tokens',
  least: 'least sure token',
  product: 'product of the tokens',
  status: 'status slot alone',
};

export function calibrationTables(results: LabResults): ResultTable[] {
  const models = results.spec.simulators.filter(({ kind }) => kind !== 'twin');
  if (models.length === 0) return [];
  const none = hidden('the model gives no confidences');
  return [
    {
      title: 'Expected calibration error and Brier score',
      note: 'Ten bins of equal width; 0 is perfectly calibrated. The interval is a bootstrap over worlds.',
      head: ['', ...models.map(({ id }) => id)],
      rows: SURENESS.flatMap((by): ResultRow[] => {
        const of = (id: string) => results.calibration[id]?.[by];
        return [
          {
            label: `ECE, ${SURENESS_WORDS[by]}`,
            about:
              by === 'status' ? 'against "the status is the twin’s"' : 'against "the answer is exactly the twin’s"',
            cells: models.map(({ id }) => {
              const found = of(id);
              if (!found || found.n === 0) return none;
              return { kind: 'number', value: found.ece, digits: 3, interval: found.interval, n: found.n };
            }),
          },
          {
            label: `Brier, ${SURENESS_WORDS[by]}`,
            about: 'mean squared difference of confidence and outcome',
            cells: models.map(({ id }) => {
              const found = of(id);
              return found && found.n > 0 ? { kind: 'number', value: found.brier, digits: 3, n: found.n } : none;
            }),
          },
        ];
      }),
    },
    ...models.flatMap(({ id }): ResultTable[] => {
      const table = results.calibration[id];
      if (!table || table.status.n === 0) return [];
      return [
        {
          title: `${id}: how often it is right when it is so sure`,
          head: ['confidence', ...SURENESS.map((by) => SURENESS_WORDS[by])],
          rows: table.mean.bins.map((bin, i) => ({
            label: `${bin.low.toFixed(1)} to ${bin.high.toFixed(1)}`,
            cells: SURENESS.map((by) => {
              const here = table[by].bins[i];
              if (!here || here.n === 0 || here.accuracy === null) return text('none');
              const right = Math.round(here.accuracy * here.n);
              return share({ sum: right, n: here.n, mean: here.accuracy, interval: null });
            }),
          })),
        },
      ];
    }),
  ];
}
