/** A whole bench: server, browsers, providers one after another, and the report as it grows. */
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureChromium } from '../../../scripts/chromium.mjs';
import { serve } from '../../../scripts/serve.mjs';
import { median } from '../../metrics';
import { messageOf } from '../../models/errors';
import { BenchHost } from './host';
import { measure, type Measured } from './opening';
import { reducedOf, type BenchOptions, type BenchProvider } from './options';
import { BenchBrowser, flagsOf, type Limits, type PageLaunch } from './page';
import { ProviderBench, weightOf, type Attempt, type Job } from './provider';
import { emptyProvider, type BenchReport, type Opening, type ProviderReport } from './report';
import { laneWorlds, readFolder, sampleSteps, type Folder } from './sample';
import { LANE_WORLDS, sizesOf, type Sizes } from './sizes';
import { targetsOf } from './targets';
import { TimeLeft } from './timeLeft';
import { benchTwins } from './twins';

/** Parameters a model may have at most to be measured on a software adapter. */
const MICRO = 500_000;
const PATIENCE_MS = 120_000;
const PAGE_LANES = ['twin', 'mdlm', 'ar'];
const OPENING_SECONDS = 5;
const MOUNT = '/bench-models/';

/**
 * Measures everything. A part that fails is listed in `failed`; the others go on.
 * @param note lines for whoever waits
 * @param save called with the report after each part; `complete` is false until the end
 * @throws the signal's reason when aborted; Error when there are no models, no build or no browser
 */
export async function runBench(
  options: BenchOptions,
  dist: string,
  note: (line: string) => void,
  save: (report: BenchReport) => void,
  signal: AbortSignal,
): Promise<BenchReport> {
  const executablePath = await ensureChromium();
  const models = resolve(options.models ?? join(dist, 'models'));
  const mounts = { [MOUNT]: models };
  const server = await serve({ dist, mounts });
  // As on hosts that cannot send the headers of isolation: the page then has one thread.
  const plain = await serve({ dist, mounts, isolated: false });
  try {
    const bench = new Bench(options, { isolated: server.url, plain: plain.url, executablePath }, note, save, signal);
    return await bench.run({ ar: await readFolder(join(models, 'ar')), mdlm: await readFolder(join(models, 'mdlm')) });
  } finally {
    await server.close();
    await plain.close();
  }
}

interface Place {
  isolated: string;
  plain: string;
  executablePath: string;
}

type Adapter = { name: string; software: boolean } | null;

class Bench {
  private readonly began = performance.now();
  private readonly sizes: Sizes;
  private readonly limits: Limits;
  private readonly report: BenchReport;
  private time = new TimeLeft(1);

  constructor(
    private readonly options: BenchOptions,
    private readonly place: Place,
    private readonly note: (line: string) => void,
    private readonly save: (report: BenchReport) => void,
    signal: AbortSignal,
  ) {
    this.sizes = sizesOf(options);
    this.limits = { deadline: this.began + 60_000 * options.minutes, signal };
    const cores = cpus();
    this.report = {
      reduced: reducedOf(options),
      ...{ complete: false, started: new Date().toISOString(), seconds: 0 },
      machine: {
        ...{ cpu: cores[0]?.model ?? 'unknown', cores: cores.length, loadAverage: loadavg() },
        ...{ node: process.version, browser: '' },
      },
      models: {},
      sample: { split: 'test', seed: options.seed, exact: options.exact, timed: this.sizes.timed, trajectories: 0 },
      ...{ providers: {}, failed: [], skipped: {}, targets: [], twins: {} },
    };
  }

  async run(folders: Record<'ar' | 'mdlm', Folder>): Promise<BenchReport> {
    const { options, report, sizes } = this;
    for (const [kind, { version, sha256, parameters }] of Object.entries(folders)) {
      report.models[kind] = { version, sha256, parameters };
    }
    const steps = await sampleSteps(options.exact, options.seed);
    report.sample.trajectories = new Set(steps.map(({ run }) => run)).size;
    const worlds = await laneWorlds(LANE_WORLDS, sizes.laneSteps, options.seed);
    report.twins = await benchTwins(sizes.twinWorlds);
    this.keep();
    // The one with most threads first: exactness is measured there, and the others' tokens are compared with its own.
    const wanted: readonly BenchProvider[] = options.providers ?? ['wasm1', 'wasm2', 'webgpu'];
    const order = (['wasm2', 'wasm1', 'webgpu'] as const).filter((name) => wanted.includes(name));
    const adapter = order.includes('webgpu') ? await this.adapterFor(folders) : null;
    const measured = order.filter((name) => name !== 'webgpu' || adapter !== null);
    // On WebAssembly the same code has the same memory whatever its threads: one provider is enough.
    const endures = (name: BenchProvider) => name === 'webgpu' || name === measured[0];
    const weights = measured.map((name, i) => weightOf(sizes, steps.length, i > 0, endures(name)));
    this.time = new TimeLeft(weights.reduce((a, b) => a + b + OPENING_SECONDS * sizes.openings, 0));
    const references: Job['references'] = new Map();
    const ends: (() => Promise<void>)[] = [];
    for (const name of measured) {
      const one = (report.providers[name] = emptyProvider(name === 'webgpu' ? adapter : null));
      const flags = flagsOf(name === 'webgpu' && adapter?.software !== true, options.headed);
      const launch = { url: this.place.isolated, ...this.launchOf(flags) };
      const webgpu = name === 'webgpu';
      const runsOn = { provider: webgpu ? 'webgpu' : 'wasm', threads: name === 'wasm1' ? 1 : 2 } as const;
      const onProgress = (done: number, total: number) => this.time.update(done, total);
      const host = new BenchHost(launch, { ...runsOn, baseUrl: MOUNT }, onProgress, this.limits);
      const attempt = this.attemptOn(name, host);
      const { seed } = options;
      const job: Job = { provider: name, steps, worlds, seed, sizes, folders, references, endure: endures(name) };
      const bench = new ProviderBench(host, job, one, attempt);
      if (sizes.openings > 0)
        await attempt({ title: 'openings of the page', weight: OPENING_SECONDS * sizes.openings }, () =>
          this.openings(name, one, flags),
        );
      try {
        await bench.measure();
      } finally {
        await host.drop();
      }
      // Last of all: it takes longest and says least.
      ends.push(() => bench.endure().finally(() => host.drop()));
    }
    for (const end of ends) await end();
    report.complete = true;
    this.keep();
    return report;
  }

  /** Does parts of a provider until the time is up. */
  private attemptOn(provider: BenchProvider, host: BenchHost): Attempt {
    return async (part, work) => {
      const { signal, deadline } = this.limits;
      signal.throwIfAborted();
      this.time.begin({ ...part, title: `${provider}: ${part.title}` });
      try {
        if (performance.now() > deadline)
          throw new Error(`not begun after ${this.options.minutes} minutes (--minutes)`);
        await work();
      } catch (error) {
        signal.throwIfAborted();
        const reason = messageOf(error).split('\n')[0] ?? '';
        this.note(`${provider}: ${part.title} failed: ${reason}`);
        this.report.failed.push({ provider, part: part.title, reason });
        await host.drop();
      }
      this.keep();
    };
  }

  /** Brings the report up to date and saves it. */
  private keep(): void {
    const { report } = this;
    report.seconds = (performance.now() - this.began) / 1000;
    report.targets = Object.entries(report.providers).flatMap(([name, one]) => targetsOf(name, one));
    this.save(report);
  }

  private launchOf(args: string[]): Omit<PageLaunch, 'url'> {
    return { executablePath: this.place.executablePath, args, headless: !this.options.headed };
  }

  /** The adapter WebGPU is measured on; null where it is not, with the reason in `skipped`. */
  private async adapterFor(folders: Record<'ar' | 'mdlm', Folder>): Promise<Adapter> {
    const ask = async (hardware: boolean): Promise<Adapter> => {
      const launch = { url: this.place.isolated, ...this.launchOf(flagsOf(hardware, this.options.headed)) };
      const browser = await BenchBrowser.open(launch, () => {}, this.limits);
      this.report.machine.browser = browser.version;
      return browser.adapter().finally(() => browser.close());
    };
    try {
      const adapter = await ask(true);
      if (adapter && !adapter.software) return adapter;
      const micro = Math.max(folders.ar.parameters, folders.mdlm.parameters) <= MICRO;
      const asked = this.options.providers?.includes('webgpu') ?? false;
      const software = micro && asked ? await ask(false) : null;
      if (software) return { ...software, software: true };
      this.report.skipped['webgpu'] =
        'the browser has no hardware adapter (software: --providers webgpu, micro pair only)';
    } catch (error) {
      this.limits.signal.throwIfAborted();
      this.report.skipped['webgpu'] = `no adapter could be asked for: ${messageOf(error).split('\n')[0]}`;
    }
    return null;
  }

  /** Cold openings of the page, of what a visitor waits for. */
  private async openings(name: BenchProvider, one: ProviderReport, flags: string[]): Promise<void> {
    const { executablePath, isolated, plain } = this.place;
    const provider = name === 'webgpu' ? 'webgpu' : 'wasm';
    const hash = `world=support&lanes=${PAGE_LANES.join()}&provider=${provider}`;
    const url = `${name === 'wasm1' ? plain : isolated}/?models=${MOUNT}#${hash}`;
    const all: Measured[] = [];
    for (let i = 0; i < this.sizes.openings; i++) {
      const opening = { url, executablePath, flags, lanes: PAGE_LANES, patience: PATIENCE_MS };
      const measured = await measure(opening, this.limits.signal);
      this.report.machine.browser ||= measured.browser;
      const failure = Object.entries(measured.failures)[0];
      if (failure) throw new Error(`the lane ${failure[0]} gave no answer: ${failure[1]}`);
      if (performance.now() > this.limits.deadline) throw new Error('the time was up (--minutes)');
      all.push(measured);
      this.time.update(i + 1, this.sizes.openings);
    }
    const firsts = all.map(({ first }) => Math.min(first['mdlm'] ?? Infinity, first['ar'] ?? Infinity));
    one.firstAnswerMs = median(firsts);
    one.opening = {
      runs: all.length,
      isolated: all.every((opening) => opening.isolated),
      paintMs: median(all.flatMap(({ paint }) => paint ?? [])),
      lanes: Object.fromEntries(
        PAGE_LANES.map((lane) => [lane, median(all.flatMap(({ first }) => first[lane] ?? []))]),
      ),
    } satisfies Opening;
  }
}
