import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
import { aggregate, type LabResults, type LabTimings } from './aggregate';
import { expandJobs } from './jobs';
import { escape, scriptJson, shareCell } from './markup';
import { MemorySink } from './memory';
import { htmlReport } from './report';
import { LabRunner } from './runner';
import { cutTables } from './tablesQuality';
import { mute, recordOf, specWith, twin } from './testing';

const EVIL = `</script><script>alert('x')</script><img src=x onerror="alert(1)"> & "quotes" <!-- \u2028`;

const specOf = (title: string) =>
  specWith({ title, agents: ['expert', 'random'], worlds: { families: ['support'], seeds: [1, 2] } });

let made: Promise<{ results: LabResults; timings: LabTimings }> | undefined;
/** A batch of eight rollouts and its tables, made once: the tests look at the report under several titles. */
function tables(): NonNullable<typeof made> {
  made ??= (async () => {
    const sink = new MemorySink();
    await new LabRunner(specOf(''), { twin: twin(), mute: mute() }, sink).run();
    return aggregate(specOf(''), sink.records);
  })();
  return made;
}

async function reportOf(title: string): Promise<{ html: string; results: LabResults }> {
  const { results, timings } = await tables();
  const own = { ...structuredClone(results), spec: specOf(title) };
  return { html: htmlReport(own, timings), results: own };
}

describe('the report', () => {
  it('escapes what it is given, wherever that stands', async () => {
    const { html } = await reportOf(EVIL);
    expect(html).not.toContain('<img');
    expect(html).not.toContain("<script>alert('x')");
    expect(html.match(/<script/g)).toEqual(['<script']);
    expect(html.match(/<\/script>/g)).toEqual(['</script>']);
    expect(html).toContain('<h1>&lt;/script&gt;&lt;script&gt;alert(&#39;x&#39;)');
    expect(html).toContain('<title>&lt;/script&gt;');
  });

  it('escapes names of models and codes of failures too', async () => {
    const { results } = await reportOf('plain');
    const table = results.simulators['mute']?.all;
    if (table) table.failures = { [EVIL]: 1 };
    results.models['mute'] = { kind: 'ar', version: EVIL, runtime: 'terrarium', provider: 'wasm' } as never;
    const html = htmlReport(results, { specHash: '', simulators: {}, fair: [] });
    expect(html).not.toContain('<img');
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('loads nothing: no address in it but the name of SVG, and a policy that forbids it', async () => {
    const { html } = await reportOf('plain');
    expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|src=|href=|url\(|@import/);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it('holds the results to the digit', async () => {
    const { html, results } = await reportOf(EVIL);
    const json = /<script type="application\/json" id="results">(.*)<\/script>/.exec(html)?.[1] ?? '';
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(results)));
  });

  it('is well-formed, with a table for each simulator and four charts', async () => {
    const { html } = await reportOf('Plain & simple');
    const body = html.slice(html.indexOf('<body>') + 6, html.indexOf('</body>'));
    // A strict parser of markup: unclosed and crossed elements are errors in it.
    expect(() => parse(body.replace(/<script.*<\/script>/s, '').replace(/[{}]/g, ' '))).not.toThrow();
    expect(html).toContain('All 8 rollouts are done.');
    expect(html.match(/<svg/g)).toHaveLength(4);
    // The pictures of the page (their own tests say what is in them), in colours of the reader's theme.
    expect(html.match(/fill="var\(--twin\)"/g)?.length).toBeGreaterThan(4);
    expect(html).toMatch(/:root\{--ink:#.*dark.*--ink:#/s);
    for (const caption of ['twin, by family', 'mute, by family', 'mute, by agent', 'Models']) {
      expect(html).toContain(`<caption>${caption}</caption>`);
    }
    expect(html).not.toContain('NaN');
    expect(html).not.toContain('undefined');
  });

  it('says when a batch is not finished, and has a report of nothing at all', async () => {
    const { results, timings } = await aggregate(specWith(), []);
    const html = htmlReport(results, timings);
    expect(html).toContain('The batch is not finished: 0 of 4');
    expect(html).not.toContain('NaN');
    expect(html).not.toContain('Infinity');
  });
});

describe('the tables by family and agent', () => {
  it('begin with the whole batch, end with what it cost, and say which steps have no truth', async () => {
    const spec = specWith({ simulators: ['ar'], worlds: { families: ['support', 'grid'], seeds: [1] } });
    const [support, grid] = [...expandJobs(spec)];
    if (!support || !grid) throw new Error('there are no jobs');
    // Seven ms and two passes a step: see `recordOf`.
    const { results, timings } = await aggregate(spec, [recordOf(support, '10-'), recordOf(grid, '1')]);
    const [table, ...others] = cutTables(results, timings);
    expect(others).toEqual([]);
    const column = (name: string) =>
      table?.rows.map(({ label, cells }) => [label, cells[table.head.indexOf(name) - 1]] as const);
    expect(table?.rows.every(({ cells }) => cells.length === table.head.length - 1)).toBe(true);
    expect(column('steps')?.map(([label, cell]) => [label, cell?.kind === 'text' && cell.text])).toEqual([
      ['all', '4, 1 without truth'],
      ['support', '3, 1 without truth'],
      ['grid', '1'],
    ]);
    const sums = column('answerExact')?.map(([, cell]) => cell?.kind === 'share' && [cell.sum, cell.n]);
    expect(sums).toEqual([
      [2, 3],
      [1, 2],
      [1, 1],
    ]);
    for (const [name, each] of [
      ['passes a step', 2],
      ['ms a step', 7],
    ] as const) {
      expect(column(name)?.map(([, cell]) => cell?.kind === 'number' && cell.value)).toEqual([each, each, each]);
    }
  });
});

describe('its parts', () => {
  it('escape the five characters', () => {
    expect(escape(`<a b="c" d='e'>&amp;`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;');
    expect(scriptJson({ a: '</script>\u2028' })).toBe('{"a":"\\u003c/script\\u003e\\u2028"}');
  });

  it('write shares with interval and denominator', () => {
    expect(shareCell({ sum: 3, n: 4, mean: 0.75, interval: [0.25, 1] })).toBe(
      '0.750 <small>[0.250, 1.000]</small> <small>3 of 4</small>',
    );
    expect(shareCell({ sum: 0, n: 0, mean: null, interval: null })).toBe('<span class="none">none</span>');
  });
});
