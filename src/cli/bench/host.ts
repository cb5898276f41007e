/** A browser with the bench's page and the models opened in it; both come anew after a part that failed. */
import type { BenchApi, BenchMethod, OpenRequest } from '../../bench/protocol';
import { BenchBrowser, type Limits, type PageLaunch } from './page';

/** The models of one provider: where they are and what they run on. */
export type Models = Pick<OpenRequest, 'provider' | 'threads'> & {
  /** Path of the folders on the server, with a slash at its end. */
  baseUrl: string;
};

export class BenchHost {
  private browser: BenchBrowser | null = null;
  private readonly opened = new Map<OpenRequest['kind'], number>();

  constructor(
    private readonly launch: PageLaunch,
    readonly models: Models,
    private readonly onProgress: (done: number, total: number) => void,
    private readonly limits: Limits,
  ) {}

  /** The browser, opened if need be. */
  async page(): Promise<BenchBrowser> {
    return (this.browser ??= await BenchBrowser.open(this.launch, this.onProgress, this.limits));
  }

  /**
   * Threads a model runs with; it is opened if need be, in a worker of its own.
   * @throws Error when it cannot be opened, or not on this provider
   */
  async open(kind: OpenRequest['kind']): Promise<number> {
    const known = this.opened.get(kind);
    if (known !== undefined) return known;
    const { provider, threads, baseUrl } = this.models;
    const folder = `${baseUrl}${kind === 'mdlm' ? 'mdlm' : 'ar'}/`;
    const opened = await (await this.page()).call(kind, 'open', { kind, provider, threads, baseUrl: folder });
    this.opened.set(kind, opened.threads);
    return opened.threads;
  }

  /** Calls a method of a model's worker, or of one without a model. */
  async call<M extends BenchMethod>(
    worker: OpenRequest['kind'] | 'machine',
    method: M,
    request: Parameters<BenchApi[M]>[0],
  ): Promise<Awaited<ReturnType<BenchApi[M]>>> {
    if (worker !== 'machine') await this.open(worker);
    return (await this.page()).call(worker, method, request);
  }

  /** Ends a worker: its model no longer takes memory from the others. */
  async end(worker: OpenRequest['kind'] | 'machine'): Promise<void> {
    if (worker !== 'machine') this.opened.delete(worker);
    await this.browser?.end(worker);
  }

  /** Closes the browser; the next call opens another. */
  async drop(): Promise<void> {
    const { browser } = this;
    this.browser = null;
    this.opened.clear();
    await browser?.close().catch(() => {});
  }
}
