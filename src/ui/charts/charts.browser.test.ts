/** Pictures in a browser: drawn in the colours of the page, saved as files that stand alone, and the film by keyboard. */
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { barFigure, DARK, LIGHT, type BarChart, type ParetoChart } from '../../rollouts/lab/pictures';
import { NO_COST, type DraftToken, type Prediction } from '../../world/simulator';
import { pngFile } from './files';
import { draftFrames } from './film';
import FilmDialog from './FilmDialog.svelte';
import Pareto from './Pareto.svelte';
import '../styles.css';

const share = (sum: number, n: number) => ({ mean: sum / n, interval: [0.1, 0.9] as [number, number], sum, n });
const lanes = [
  { id: 'mdlm', kind: 'mdlm' },
  { id: 'ar', kind: 'ar' },
];

test('a chart has the colours of the page, its numbers as a table, and files', async () => {
  const chart: ParetoChart = {
    ...{ title: 'answerExact against ms a step', quality: 'answerExact', cost: 'ms a step', lanes },
    points: [
      { lane: 'mdlm', cost: 20, share: share(1, 3) },
      { lane: 'ar', cost: 90, share: share(2, 3) },
    ],
  };
  const screen = await render(Pareto, { chart });
  const picture = screen.getByRole('img');
  await expect.element(picture).toHaveAccessibleName(/mdlm: 0.333 \[0.100, 0.900\], 1 of 3; 20 ms a step/);
  const circle = picture.element().querySelector('circle') as SVGElement;
  expect(circle.namespaceURI).toBe('http://www.w3.org/2000/svg');
  expect(getComputedStyle(circle).fill).toBe('rgb(11, 114, 133)');
  expect(circle.getBoundingClientRect().width).toBeGreaterThan(5);

  const saved: { name: string; blob: Blob }[] = [];
  const blobs = new Map<string, Blob>();
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const url = `blob:test/${blobs.size}`;
    blobs.set(url, blob as Blob);
    return url;
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob: blobs.get(this.href) as Blob });
  });
  try {
    await screen.getByRole('button', { name: 'SVG' }).click();
    await screen.getByRole('button', { name: 'CSV' }).click();
    await expect.poll(() => saved.length).toBe(2);
  } finally {
    create.mockRestore();
    click.mockRestore();
  }
  expect(saved.map(({ name }) => name)).toEqual([
    'answerexact-against-ms-a-step.svg',
    'answerexact-against-ms-a-step.csv',
  ]);
  const svg = new DOMParser().parseFromString(await (saved[0]?.blob as Blob).text(), 'image/svg+xml');
  expect(svg.querySelector('parsererror')).toBeNull();
  expect(svg.querySelectorAll('rect, circle, path').length).toBeGreaterThan(4);
  expect(await saved[1]?.blob.text()).toContain(`mdlm,20,${1 / 3},0.1,0.9,1,3,true\r\n`);
});

test('a PNG is twice the size of its picture, on the ground of its theme', async () => {
  const chart: BarChart = {
    ...{ title: 't', what: 'exact', group: 'family', lanes },
    groups: [{ name: 'support', shares: [{ lane: 'ar', share: share(1, 1) }] }],
  };
  const figure = barFigure(chart, 400);
  for (const palette of [LIGHT, DARK]) {
    const image = await createImageBitmap(await pngFile(figure, palette));
    expect([image.width, image.height]).toEqual([800, 2 * figure.height]);
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height).data;
    const hex = (at: number) =>
      `#${[...pixels.slice(at, at + 3)].map((c) => c.toString(16).padStart(2, '0')).join('')}`;
    expect(hex(0)).toBe(palette.panel);
    // Something is drawn on it, in the lane's colour.
    expect(Array.from({ length: pixels.length / 4 }, (_, i) => hex(4 * i))).toContain(palette.ar);
  }
});

const token = (id: number, pass: number): DraftToken => ({
  ...{ slot: 'observation', id, masked: false, confidence: 0.5 + pass / 10, pass },
});
const masked: DraftToken = { slot: 'observation', id: 0, masked: true, confidence: 0, pass: 0 };
const prediction: Prediction = {
  kind: 'prediction',
  transition: { observation: { kind: 'text', text: '' }, delta: {}, status: 'ok' },
  text: { observation: '', delta: '', status: '' },
  ...{ parseErrors: [], tokens: [token(20, 3), token(21, 1), token(22, 2)], cost: { ...NO_COST, nfe: 3 }, seed: 1 },
};

test('the film: stepped, played and paused by keyboard, and done again with what differs said', async () => {
  const draft = { kind: 'draft' as const, text: prediction.text };
  const frames = draftFrames(
    [
      { ...draft, tokens: [masked, token(21, 1), masked], nfe: 1 },
      { ...draft, tokens: [masked, masked, token(22, 2)], nfe: 2 },
    ],
    prediction,
  );
  const replay = vi.fn((_: AbortSignal, onPass: (nfe: number) => void) => {
    onPass(2);
    return Promise.resolve({ frames, prediction, differs: '' });
  });
  const onclose = vi.fn();
  const screen = await render(FilmDialog, {
    ...{ title: 'MDLM, step 1', prediction, tokenizer: null, window: true, replay, onclose },
  });
  const pass = screen.getByRole('slider', { name: 'Pass' });
  const words = () => pass.element().getAttribute('aria-valuetext');
  expect(words()).toBe('pass 3, 3 of 3 places written, 1 new');
  const picture = screen.getByRole('group', { name: /^MDLM, step 1, pass/ });
  (picture.element() as HTMLElement).focus();
  await userEvent.keyboard('{Home}');
  await expect.poll(words).toBe('before the first pass, 0 of 3 places written');
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(words).toBe('pass 1, 1 of 3 places written, 1 new');
  await userEvent.keyboard('{ArrowLeft}{ }');
  await expect.element(screen.getByRole('button', { name: 'Pause' })).toBeVisible();
  await userEvent.keyboard('{ }');
  await expect.element(screen.getByRole('button', { name: 'Play' })).toBeVisible();
  await userEvent.keyboard('{ }');
  await expect.poll(words, { timeout: 5000 }).toBe('pass 3, 3 of 3 places written, 1 new');

  await screen.getByRole('button', { name: 'Do it again' }).click();
  await expect.element(screen.getByText('same as the record')).toBeVisible();
  (screen.getByRole('group', { name: /^MDLM, step 1, pass/ }).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(words).toBe('pass 2, 1 of 3 places written, 1 new, 1 masked again');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => onclose.mock.calls.length).toBe(1);
});
