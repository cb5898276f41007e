/** The bench's page in a browser of its own, driven from Node. */
import { readFileSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright';
import { CHROMIUM_FLAGS } from '../../../scripts/chromium.mjs';
import type { BenchApi, BenchMethod, BenchPage } from '../../bench/protocol';
import type { MemoryMeasure } from './report';

type InPage = typeof globalThis & { bench: BenchPage; benchProgress(done: number, total: number): void };

/** With these a browser takes the graphics card, where it has one. */
const SOFTWARE = '--use-webgpu-adapter=swiftshader';
const HARDWARE = [
  ...CHROMIUM_FLAGS.filter((flag) => flag !== SOFTWARE),
  ...(process.platform === 'linux'
    ? ['--use-angle=vulkan', '--enable-features=Vulkan', '--disable-vulkan-surface']
    : []),
];
/** Memory can be asked for, and garbage collected before. */
const MEMORY = ['--enable-blink-features=ForceEagerMeasureMemory', '--js-flags=--expose-gc'];
const OPEN_MS = 60_000;
/** A call that tells of no progress for so long hangs: a round of 100 lanes is the longest without, and takes a minute. */
const STALL_MS = 300_000;
/** As procfs gives resident sizes. */
const PAGE_BYTES = 4096;

/** Flags of Chromium for a provider's adapter. */
export function flagsOf(hardware: boolean, headed: boolean): string[] {
  const flags: readonly string[] = hardware ? HARDWARE : CHROMIUM_FLAGS;
  return [...flags.filter((flag) => !headed || !flag.startsWith('--headless')), ...MEMORY];
}

/** What a browser is opened with. */
export interface PageLaunch {
  /** Origin of the server. */
  url: string;
  executablePath: string;
  args: string[];
  headless: boolean;
}

/** When to stop: the moment nothing goes on after, by `performance.now()`, and a signal. */
export interface Limits {
  deadline: number;
  signal: AbortSignal;
}

export class BenchBrowser {
  /** How memory is measured, once that is known. */
  private measure: MemoryMeasure | null = null;
  private lastProgress = 0;

  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly limits: Limits,
  ) {}

  /** @throws Error when the page does not open; the signal ends the browser */
  static async open(
    launch: PageLaunch,
    onProgress: (done: number, total: number) => void,
    limits: Limits,
  ): Promise<BenchBrowser> {
    limits.signal.throwIfAborted();
    const { url, ...options } = launch;
    const browser = await chromium.launch({ ...options, timeout: OPEN_MS, handleSIGINT: false, handleSIGTERM: false });
    const close = () => void browser.close().catch(() => {});
    limits.signal.addEventListener('abort', close, { once: true });
    browser.once('disconnected', () => limits.signal.removeEventListener('abort', close));
    try {
      const page = await browser.newPage();
      const opened = new BenchBrowser(browser, page, limits);
      page.setDefaultTimeout(OPEN_MS);
      await page.exposeFunction('benchProgress', (done: number, total: number) => {
        opened.lastProgress = performance.now();
        onProgress(done, total);
      });
      await page.goto(`${url}/bench.html`);
      await page.waitForFunction(() => 'bench' in globalThis);
      await page.evaluate(() => {
        const here = globalThis as InPage;
        here.bench.onProgress = (done, total) => here.benchProgress(done, total);
      });
      return opened;
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  get version(): string {
    return `Chromium ${this.browser.version()}`;
  }

  /**
   * Calls a method of a worker of the page.
   * @throws Error of the worker, and when it hangs or the time is up: close the browser then, the worker goes on
   */
  async call<M extends BenchMethod>(
    worker: string,
    method: M,
    request: Parameters<BenchApi[M]>[0],
  ): Promise<Awaited<ReturnType<BenchApi[M]>>> {
    const call = this.page.evaluate(
      ([name, what, json]) => (globalThis as InPage).bench.call(name as string, what as BenchMethod, json as string),
      [worker, method, JSON.stringify(request)],
    );
    // Nobody may listen any more when it fails.
    call.catch(() => {});
    return JSON.parse(await this.inTime(call, `${method} of the worker ${worker}`)) as Awaited<ReturnType<BenchApi[M]>>;
  }

  private async inTime<T>(call: Promise<T>, what: string): Promise<T> {
    this.lastProgress = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        const now = performance.now();
        if (now > this.limits.deadline) reject(new Error(`the time was up during ${what} (--minutes)`));
        if (now - this.lastProgress > STALL_MS) {
          reject(new Error(`${what} told nothing for ${STALL_MS / 1000} s`));
        }
      }, 1000);
    });
    try {
      return await Promise.race([call, late]);
    } finally {
      clearInterval(timer);
    }
  }

  async end(worker: string): Promise<void> {
    await this.page.evaluate((name) => (globalThis as InPage).bench.end(name), worker);
  }

  /**
   * Memory of page and workers, always by the same measure: the browser's own where it answers, else what the system says
   * of the page's process (Linux); null where there is neither.
   */
  async memory(): Promise<{ measure: MemoryMeasure; bytes: number } | null> {
    if (this.measure !== 'resident size of the process') {
      const bytes = await this.page.evaluate(() => (globalThis as InPage).bench.memory()).catch(() => null);
      if (bytes !== null) return { measure: (this.measure = 'measureUserAgentSpecificMemory'), bytes };
      if (this.measure !== null) return null;
    }
    const bytes = await this.residentBytes().catch(() => null);
    return bytes === null ? null : { measure: (this.measure = 'resident size of the process'), bytes };
  }

  /** Resident bytes of the renderers: the bench's page is the only one with more than an empty document. */
  private async residentBytes(): Promise<number> {
    const session = await this.browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    const sizes = processInfo
      .filter(({ type }) => type === 'renderer')
      .map(({ id }) => PAGE_BYTES * Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]));
    if (sizes.length === 0) throw new Error('The browser names no process of the page.');
    return sizes.reduce((a, b) => a + b, 0);
  }

  /** Name of the graphics adapter and whether it is software; null where there is none. */
  adapter(): Promise<{ name: string; software: boolean } | null> {
    const asked = this.page.evaluate(async () => {
      const adapter = await navigator.gpu?.requestAdapter();
      if (!adapter) return null;
      const { vendor, architecture, device, description } = adapter.info;
      const name = [vendor, architecture, device, description].filter(Boolean).join(' ');
      return { name, software: /swiftshader|llvmpipe/i.test(name) || adapter.info.isFallbackAdapter === true };
    });
    return this.inTime(asked, 'asking for a graphics adapter');
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}
