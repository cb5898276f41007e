/**
 * Opens the production build in Chromium and keeps account of what the page logs and asks for.
 * Every test file starts a server of its own, on a free port, so an IndexedDB is never shared.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type BrowserContext, type Page } from 'playwright';
import { CHROMIUM_FLAGS, ensureChromium } from '../../scripts/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';

const root = resolve(import.meta.dirname, '../..');
const micro = resolve(root, 'test/fixtures/micro');

/** A page under test and what it did so far. */
export interface AppPage {
  page: Page;
  context: BrowserContext;
  /** Messages of console.error, uncaught exceptions of the page, failed requests. */
  errors: string[];
  /** URLs of all requests, those of workers too. */
  requests: string[];
  /** Requests that went anywhere but to the page's own origin. */
  foreign(): string[];
  /** Serious and critical violations axe finds now, one line each. */
  violations(): Promise<string[]>;
}

/** A served build and a browser. */
export interface App {
  /** Origin, without a trailing slash. */
  url: string;
  browser: Browser;
  /** Opens a page in a fresh profile, or in the context given; `path` may carry a query and a hash. */
  open(path?: string, options?: BrowserContextOptions & { context?: BrowserContext }): Promise<AppPage>;
  close(): Promise<void>;
}

/** Starts server and browser. Under /micro/ar/ and /micro/mdlm/ the tests' tiny models are served. */
export async function startApp(options: { flags?: string[] } = {}): Promise<App> {
  const mounts: Record<string, string> = existsSync(micro) ? { '/micro/': micro } : {};
  const server = await serve({ mounts });
  const browser = await chromium
    .launch({ executablePath: await ensureChromium(), args: [...CHROMIUM_FLAGS, ...(options.flags ?? [])] })
    .catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
  return {
    url: server.url,
    browser,
    async open(path = '/', { context: given, ...contextOptions } = {}) {
      const context = given ?? (await browser.newContext(contextOptions));
      const page = await context.newPage();
      const watched = watch(context, page, server.url);
      await page.goto(new URL(path, server.url).href);
      return watched;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

function watch(context: BrowserContext, page: Page, origin: string): AppPage {
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  // Of the context, not of the page: requests of dedicated workers are counted as well.
  context.on('request', (request) => requests.push(request.url()));
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // A page that is left or a cancelled download aborts its requests; that is no fault.
    if (reason !== 'net::ERR_ABORTED') errors.push(`${request.url()}: ${reason}`);
  });
  return {
    page,
    context,
    errors,
    requests,
    foreign: () => requests.filter((url) => !/^(data|blob):/.test(url) && new URL(url).origin !== origin),
    async violations() {
      await page.evaluate(axe.source);
      const found = await page.evaluate(async () => {
        const { axe: here } = globalThis as unknown as { axe: typeof axe };
        const { violations } = await here.run(document, { resultTypes: ['violations'] });
        return violations.map(({ id, impact, help, nodes }) => ({
          line: `${impact} ${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join('; ')})`,
          grave: impact === 'serious' || impact === 'critical',
        }));
      });
      return found.filter(({ grave }) => grave).map(({ line }) => line);
    },
  };
}
