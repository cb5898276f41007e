import { readFileSync } from 'node:fs';
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
import { aggregate } from '../aggregate';
import { MemorySink } from '../memory';
import { LabRunner } from '../runner';
import { mute, specWith, twin } from '../testing';
import {
  barFigure,
  barTable,
  csvText,
  curveFigure,
  curveTable,
  DARK,
  familiesOfResults,
  frontierOf,
  LIGHT,
  linear,
  logarithmic,
  looksOf,
  MARKERS,
  markerAt,
  paretoFigure,
  paretoOfResults,
  paretoTable,
  survivalOfResults,
  svgText,
  wholeTicks,
  type CurveChart,
  type Figure,
  type ParetoChart,
  type SvgNode,
} from '.';

const lanes = [
  { id: 'twin', kind: 'twin' },
  { id: 'fast', kind: 'mdlm' },
  { id: 'slow', kind: 'mdlm' },
  { id: 'ar', kind: 'ar' },
];
const share = (sum: number, n: number) => ({ mean: sum / n, interval: [sum / n / 2, 1] as [number, number], sum, n });

const pareto: ParetoChart = {
  title: 'answerExact against ms a step',
  ...{ quality: 'answerExact', cost: 'ms a step', lanes },
  points: [
    { lane: 'twin', cost: 0.1, share: share(4, 4) },
    { lane: 'fast', cost: 20, share: share(1, 4) },
    { lane: 'slow', cost: 80, share: share(1, 4) },
    { lane: 'ar', cost: 100, share: share(3, 4) },
  ],
};

/** All nodes of a figure, parents first. */
function all({ nodes }: Pick<Figure, 'nodes'>): SvgNode[] {
  return nodes.flatMap((node) => [node, ...all({ nodes: node.children })]);
}

/** Every text in a figure, what shows under a pointer included. */
const textsOf = (figure: Figure) => all(figure).flatMap(({ text }) => (text === undefined ? [] : [text]));

describe('scales', () => {
  it('have round ticks inside their domain, without dust of binary fractions', () => {
    expect(linear([0, 1], [0, 100]).ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(linear([0, 1], [100, 0])(0.25)).toBe(75);
    expect(linear([3, 3], [0, 10])(3)).toBe(5);
    expect(wholeTicks(1, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(wholeTicks(0, 100, 6)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(wholeTicks(1, 1)).toEqual([1]);
  });

  it('of logarithms keep equal ratios apart alike, and what is not positive at the low end', () => {
    const x = logarithmic([1, 10, 100], [0, 230]);
    expect(x(10) - x(1)).toBeCloseTo(100);
    expect(x(100) - x(10)).toBeCloseTo(100);
    expect(x.ticks).toEqual([1, 2, 5, 10, 20, 50, 100]);
    expect(x(0)).toBe(0);
    for (const values of [[], [0], [5], [NaN]]) {
      const scale = logarithmic(values, [0, 10]);
      expect([scale(5), ...scale.ticks.map(scale)].every((at) => at >= 0 && at <= 10)).toBe(true);
    }
  });
});

describe('looks', () => {
  it('say the kind by colour and the lane by marker and dash', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ id: `l${i}`, kind: i === 8 ? 'endpoint' : 'mdlm' }));
    const looks = [...looksOf(many).values()];
    expect(new Set(looks.map(({ marker, hollow }) => `${marker} ${hollow}`)).size).toBe(9);
    expect(new Set(looks.slice(0, 6).map(({ dash }) => dash)).size).toBe(6);
    expect(looks[0]?.colour).toBe('$mdlm');
    expect(looks[8]?.colour).toBe('$other');
  });

  it('give every marker about the same area', () => {
    const area = (node: SvgNode): number => {
      const { cx, r, width, height, d } = node.attrs;
      if (cx !== undefined) return Math.PI * Number(r) ** 2;
      if (width !== undefined) return Number(width) * Number(height);
      const points = [...String(d).matchAll(/[ML](\S+) ([^MLZ]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
      const cross = points.map(([x, y], i) => {
        const [nextX, nextY] = points[(i + 1) % points.length] as readonly [number, number];
        return x * nextY - nextX * y;
      });
      return Math.abs(cross.reduce((a, b) => a + b, 0)) / 2;
    };
    for (const marker of MARKERS) {
      const drawn = area(markerAt(0, 0, { marker, colour: '$ar', dash: '', hollow: false }, 10));
      expect(drawn / (Math.PI * 100), marker).toBeGreaterThan(0.8);
      expect(drawn / (Math.PI * 100), marker).toBeLessThan(1.25);
    }
  });

  it('have the colours of the page', () => {
    const css = readFileSync(new URL('../../../ui/styles.css', import.meta.url), 'utf8');
    const [light = '', dark = ''] = css.split('prefers-color-scheme: dark');
    for (const [palette, text] of [
      [LIGHT, light],
      [DARK, dark],
    ] as const) {
      for (const [name, colour] of Object.entries(palette)) {
        if (name !== 'other') expect(text, name).toContain(`--${name}: ${colour};`);
      }
    }
  });
});

describe('the frontier', () => {
  const names = (chart: ParetoChart) => frontierOf(chart).map(({ lane }) => lane);

  it('leaves out the twin and whatever another lane beats', () => {
    expect(names(pareto)).toEqual(['fast', 'ar']);
    // As good for less, and better for as much, both beat.
    const [, fast, slow, ar] = pareto.points as [never, ParetoChart['points'][0], ParetoChart['points'][0], never];
    expect(names({ ...pareto, points: [fast, { ...slow, cost: 20 }, ar] })).toEqual(['fast', 'slow', 'ar']);
    expect(names({ ...pareto, points: [fast, { ...slow, cost: 20, share: share(2, 4) }] })).toEqual(['slow']);
  });

  it('turns round where less is better, and takes no lane without a quality', () => {
    expect(names({ ...pareto, lowerIsBetter: true })).toEqual(['fast']);
    const none = { lane: 'fast', cost: 1, share: { mean: null, interval: null, sum: 0, n: 0 } };
    expect(names({ ...pareto, points: [none] })).toEqual([]);
    expect(textsOf(paretoFigure({ ...pareto, points: [none] }, 400)).join()).not.toContain('NaN');
  });
});

describe('charts', () => {
  it('hold every number with its interval and its denominator', () => {
    const texts = textsOf(paretoFigure(pareto, 640));
    expect(texts).toContain('ar: answerExact 0.750 [0.375, 1.000], 3 of 4, 100 ms a step');
    expect(texts).toContain('0.250 [0.125, 1.000], 1 of 4; 20 ms a step');
    expect(csvText(paretoTable(pareto)).split('\r\n')[2]).toBe('fast,20,0.25,0.125,1,1,4,true');
  });

  it('of survival start at 1, fall at their steps and stand between them, with the number at risk below', () => {
    const points = [
      { x: 1, y: 0.5, interval: [0.25, 0.75] as [number, number], n: 8 },
      { x: 2, y: 0.5, interval: null, n: 4 },
      { x: 3, y: 0, interval: [0, 0.5] as [number, number], n: 2 },
    ];
    const chart: CurveChart = {
      ...{ title: 't', what: 'exact', axis: 'step', lanes, survival: true },
      curves: [{ lane: 'ar', points }],
    };
    const figure = curveFigure(chart, 640);
    const line = all(figure).find(({ tag, attrs }) => tag === 'path' && attrs['stroke-width'] === 2)?.attrs['d'];
    // 568 pixels for three steps, 196 for the whole of a share.
    expect(line).toBe('M48 24H237.3V122H426.7V122H616V220');
    const counts = all(figure).filter(({ tag, attrs }) => tag === 'text' && Number(attrs['y']) === 286);
    expect(counts.map(({ text }) => text)).toEqual(['ar', '8', '4', '2']);
    expect(csvText(curveTable(chart))).toBe(
      'lane,step,survival,low95,high95,atRisk\r\nar,1,0.5,0.25,0.75,8\r\nar,2,0.5,,,4\r\nar,3,0,0,0.5,2\r\n',
    );
  });

  it('of bars have one for each lane, as long as its share, and say so where there is none', () => {
    const figure = barFigure(
      {
        ...{ title: 't', what: 'answerExact', group: 'family', lanes },
        groups: [
          {
            name: 'support',
            shares: [
              { lane: 'fast', share: share(1, 2) },
              { lane: 'ar', share: share(1, 4) },
              { lane: 'slow', share: { mean: null, interval: null, sum: 0, n: 0 } },
            ],
          },
        ],
      },
      640,
    );
    const wide = all(figure)
      .filter(({ tag, attrs }) => tag === 'rect' && attrs['fill-opacity'] === '0.3')
      .map(({ attrs }) => Number(attrs['width']));
    expect(wide).toHaveLength(2);
    expect((wide[0] as number) / (wide[1] as number)).toBeCloseTo(2, 2);
    expect(textsOf(figure)).toEqual(expect.arrayContaining(['1 of 2', '1 of 4', 'none', 'support']));
  });

  it('stay inside their width, from a phone to a wide screen', () => {
    for (const width of [300, 640, 1100]) {
      for (const { attrs } of all(paretoFigure(pareto, width))) {
        for (const name of ['x', 'cx', 'x1', 'x2']) {
          const at = Number(attrs[name] ?? 0);
          expect(at >= 0 && at <= width, `${name} ${at} of ${width}`).toBe(true);
        }
      }
    }
  });
});

describe('files', () => {
  const evil = {
    ...pareto,
    title: `<b>&"quotes"`,
    points: [{ ...pareto.points[3], lane: '</svg><script>\u0000\ud800' }],
  };

  it('as SVG bring their colours and ground, and nothing in a name gets out of its place', () => {
    const light = svgText(paretoFigure(evil as ParetoChart, 400), LIGHT);
    expect(() => parse(light)).not.toThrow();
    expect(light.match(/<script|<b>/g)).toBeNull();
    expect(light).toContain('&lt;/svg&gt;&lt;script&gt;\ufffd\ufffd');
    expect(light).toContain(`<rect width="400"`);
    for (const [palette, other] of [
      [LIGHT, DARK],
      [DARK, LIGHT],
    ] as const) {
      const text = svgText(paretoFigure(pareto, 400), palette);
      expect(text).toContain(`fill="${palette.panel}"`);
      expect(text).not.toContain(other.ink);
      expect(text).not.toMatch(/"\$|var\(|NaN|undefined/);
    }
  });

  it('as CSV follow RFC 4180 and keep every digit', () => {
    const cells = ['a,b', 'say "hi"', 'two\nlines', 0.1 + 0.2, null, -1e-7, true];
    const text = csvText({ head: ['x'], rows: [cells] });
    expect(text).toBe('x\r\n"a,b","say ""hi""","two\nlines",0.30000000000000004,,-1e-7,true\r\n');
  });
});

describe('from a batch', () => {
  it('come the very numbers of its tables', async () => {
    const spec = specWith({ worlds: { families: ['support', 'grid'], seeds: [1] } });
    const sink = new MemorySink();
    await new LabRunner(spec, { twin: twin(), mute: mute() }, sink).run();
    const { results, timings } = await aggregate(spec, sink.records);
    const table = results.simulators['twin']?.all;
    const bars = barTable(familiesOfResults(results, 'answerExact'));
    expect(bars.rows.map(([family, lane]) => `${family} ${lane}`)).toEqual([
      ...['support twin', 'support mute', 'grid twin', 'grid mute'],
    ]);
    const counted = bars.rows.filter(([, lane]) => lane === 'twin').reduce((sum, row) => sum + Number(row[6]), 0);
    expect(counted).toBe(table?.metrics['answerExact']?.n);
    const survival = survivalOfResults(results);
    expect(survival.curves.find(({ lane }) => lane === 'twin')?.points.map(({ n }) => n)).toEqual(
      table?.survival.map(({ atRisk }) => atRisk),
    );
    // The twin makes no passes; its time is known only where there are timings.
    const { points } = paretoOfResults(results, timings, 'answerExact', 'nfe');
    expect(points.map(({ lane }) => lane)).toEqual(['mute']);
    expect(paretoOfResults(results, null, 'answerExact', 'ms').points).toEqual([]);
    expect(paretoOfResults(results, null, 'hallucinatedIds', 'ms').lowerIsBetter).toBe(true);
  });
});
