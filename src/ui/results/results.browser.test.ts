/** Results that were handed on, in a browser: read in a worker, verified, and refused with a reason. */
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { LabRunner, MemorySink, parseLabSpec, writeResult } from '../../rollouts/lab';
import { TwinSimulator } from '../../twins';
import type { App } from '../app.svelte';
import Results from './Results.svelte';
import '../styles.css';

const spec = parseLabSpec(
  '{"title":"Handed on","worlds":{"families":["grid"],"seeds":[1,2]},"simulators":["twin"],"agents":["expert"],"steps":2}',
);

test('a file is read in a worker and its numbers confirmed; another that is none is refused, and the first stays', async () => {
  const sink = new MemorySink();
  await new LabRunner(spec, { twin: { simulator: new TwinSimulator(), options: { lane: 0 } } }, sink).run();
  const text = await writeResult(spec, sink.records);
  const created: string[] = [];
  class Counted extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      created.push(options?.name ?? '');
    }
  }
  vi.stubGlobal('Worker', Counted);
  const screen = await render(Results, { app: { show: vi.fn() } as unknown as App });
  const give = (name: string, part: BlobPart) => {
    const files = new DataTransfer();
    files.items.add(new File([part], name));
    const zone = screen.getByRole('group', { name: 'Open a result' }).element();
    zone.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  };

  give('mine.wmresult.json', text);
  await expect.element(screen.getByText('Computed again here from 2 rollouts: every number')).toBeVisible();
  expect(created).toEqual(['terrarium result']);
  await expect.element(screen.getByRole('heading', { name: /^Handed on/ })).toBeVisible();
  // Those of one world agree, so the interval is Wilson's: 2 of 2.
  await expect.element(screen.getByRole('region', { name: 'All rollouts' })).toHaveTextContent('2 of 2');

  give('page.html', '<!doctype html>');
  await expect.element(screen.getByRole('alert')).toHaveTextContent(/^page\.html: .*It is a page: the result is in/);
  await expect.element(screen.getByRole('heading', { name: /^Handed on/ })).toBeVisible();

  const changed = JSON.parse(text) as { results: { jobs: { done: number } } };
  changed.results.jobs.done = 7;
  give('other.wmresult.json', JSON.stringify(changed));
  await expect.element(screen.getByText('/results/jobs/done')).toBeVisible();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('1 number is not what the file says');
  vi.unstubAllGlobals();
});
