/** Everything the bench measures on one provider, part by part: one that fails does not stop the others. */
import { SAMPLERS } from '../../models';
import { median } from '../../metrics';
import { messageOf } from '../../models/errors';
import type { BenchAnswer, EnduranceResult, OpenRequest } from '../../bench/protocol';
import type { EvalStep } from '../../rollouts/trajectories';
import type { BatchItem, Cost } from '../../world/simulator';
import type { BenchHost } from './host';
import type { BenchProvider } from './options';
import { NO_RATE, type Endurance, type LaneRate, type ProviderReport } from './report';
import { gemmShapes, machineOf, transitionBound } from './roofline';
import { coldItem, itemOf, type Folder } from './sample';
import { exactnessOf, idsOf, settingOf, type Reference, type Setting } from './settings';
import type { Sizes } from './sizes';
import type { Part } from './timeLeft';

const SAMPLER_NAMES = Object.keys(SAMPLERS);
type Kind = 'ar' | 'mdlm';

/** What is measured, and with what. */
export interface Job {
  provider: BenchProvider;
  steps: EvalStep[];
  worlds: BatchItem[][];
  seed: number;
  sizes: Sizes;
  folders: Record<Kind, Folder>;
  /** Settings as they were measured first, by name; new ones are added. */
  references: Map<string, Reference>;
  /** Whether endurance is measured here. */
  endure: boolean;
}

/** Does a part; says what failed and goes on. */
export type Attempt = (part: Part, work: () => Promise<void>) => Promise<void>;

/** Answers of one call: a setting that runs out of time keeps what came before. */
const CHUNK = 25;
const CHUNK_GENERATED = 10;
const ENDURANCE_ITEMS = 10;
const WINDOW_STEPS = 100;

/** About how many seconds an answer takes on an idle machine with two cores: weights of parts, no measurement. */
const SECONDS: Record<Kind, number> = { ar: 0.12, mdlm: 0.35 };

/** Weight of all parts of a provider; see `Part`. `known`: exactness is there already. */
export function weightOf({ timed, lanes, laneSteps, ...sizes }: Sizes, steps: number, known: boolean, endure: boolean) {
  const each = SECONDS.ar + SECONDS.mdlm;
  const answers = known ? timed : steps;
  const laneAnswers = lanes.reduce((sum, { worlds }) => sum + worlds, 0) * laneSteps;
  return (
    10 +
    sizes.generated +
    answers * (SECONDS.ar + SAMPLER_NAMES.length * SECONDS.mdlm) +
    each * (laneAnswers + (endure ? sizes.endurance : 0))
  );
}

export class ProviderBench {
  constructor(
    private readonly host: BenchHost,
    private readonly job: Job,
    private readonly report: ProviderReport,
    private readonly attempt: Attempt,
  ) {}

  /** @throws only what `attempt` throws: the signal's reason */
  async measure(): Promise<void> {
    await this.part('matrix products', 10, () => this.machine());
    await this.part('AR beside transformers.js', this.job.sizes.generated, () => this.generate());
    await this.part('ar', this.weight('ar'), async () => {
      await this.setting('ar', 'ar', (one) => (this.report.ar = one));
    });
    for (const { lanes } of this.job.sizes.lanes) await this.lanes('ar', lanes);
    for (const name of SAMPLER_NAMES) {
      await this.part(`mdlm ${name}`, this.weight('mdlm'), async () => {
        await this.setting('mdlm', name, (one) => (this.report.mdlm[name] = one));
      });
    }
    for (const { lanes } of this.job.sizes.lanes) await this.lanes('mdlm', lanes);
  }

  /** The same few steps again and again: nothing may grow. */
  async endure(): Promise<void> {
    const { endurance: steps } = this.job.sizes;
    if (!this.job.endure || steps === 0) return;
    for (const kind of ['ar', 'mdlm'] as const) {
      await this.part(`${kind}, ${steps} steps`, SECONDS[kind] * steps, async () => {
        this.report.endurance[kind] = await this.enduranceOf(kind, steps);
      });
    }
  }

  private part(title: string, weight: number, work: () => Promise<void>): Promise<void> {
    return this.attempt({ title, weight }, work);
  }

  private weight(kind: Kind): number {
    const { sizes, steps, references } = this.job;
    return SECONDS[kind] * (references.size > 0 ? sizes.timed : steps.length);
  }

  /** Has a model ready; the other one makes room. */
  private async open(kind: OpenRequest['kind']): Promise<void> {
    for (const other of ['ar', 'mdlm', 'transformers.js'] as const) {
      if (other !== kind && !(kind === 'transformers.js' && other === 'ar')) await this.host.end(other);
    }
    this.report.threads = await this.host.open(kind);
  }

  private async machine(): Promise<void> {
    const { provider, threads } = this.host.models;
    const shapes = gemmShapes(this.job.folders.ar.shape);
    this.report.machine = machineOf(await this.host.call('machine', 'machine', { provider, threads, shapes }));
    await this.host.end('machine');
  }

  /** Answers from a cold prompt, in turns with transformers.js, which generates as many tokens behind the same prompts. */
  private async generate(): Promise<void> {
    const { steps, seed, sizes, folders } = this.job;
    const first = steps.filter(({ index }) => index === 0);
    const chosen = [...first, ...steps.filter(({ index }) => index > 0)].slice(0, sizes.generated);
    const flush = coldItem(chosen.at(-1) as EvalStep, seed);
    await this.open('ar');
    await this.host.open('transformers.js');
    const warm = chosen.slice(0, Math.min(3, sizes.warmup)).map((step) => itemOf(step, seed));
    const rates = { ar: [] as number[], arDecode: [] as number[], other: [] as number[], otherDecode: [] as number[] };
    const cold = { ar: [] as number[], other: [] as number[], tokens: [] as number[] };
    let equal = 0;
    for (let at = 0; at < chosen.length; at += CHUNK_GENERATED) {
      const items = chosen.slice(at, at + CHUNK_GENERATED).map((step) => itemOf(step, seed));
      const prompts = items.map((item) => folders.ar.prompt(item));
      const own = await this.host.call('ar', 'answer', { items, warmup: at === 0 ? warm : [], flush });
      // Right behind itself an answer finds its whole prompt cached. (`prefillMs` would not do: on WebAssembly the graph writes up
      // to 16 tokens in the call that reads the prompt.)
      const twice = await this.host.call('ar', 'answer', {
        ...{ items: items.flatMap((item) => [item, item]), warmup: [], flush: null },
      });
      const newTokens = own.map(({ ids }) => ids.length);
      const call = (list: number[][], counts: number[]) =>
        this.host.call('transformers.js', 'generate', { prompts: list, newTokens: counts });
      if (at === 0) await call(prompts.slice(0, warm.length), newTokens.slice(0, warm.length));
      const other = await call(prompts, newTokens);
      const one = newTokens.map(() => 1);
      const starts = await call(prompts, one);
      for (const [i, { ids, cost }] of own.entries()) {
        const [whole, start] = [other[i]?.ms ?? NaN, starts[i]?.ms ?? NaN];
        const warmMs = twice[2 * i + 1]?.cost.ms ?? NaN;
        rates.ar.push((1000 * ids.length) / cost.ms);
        rates.other.push((1000 * ids.length) / whole);
        cold.ar.push(cost.ms - warmMs);
        cold.other.push(start);
        cold.tokens.push(prompts[i]?.length ?? NaN);
        rates.arDecode.push((1000 * ids.length) / warmMs);
        if (ids.length > 1) rates.otherDecode.push((1000 * (ids.length - 1)) / (whole - start));
        if (other[i]?.ids.join() === ids.join()) equal++;
      }
    }
    await this.host.end('transformers.js');
    this.report.arTokensPerSecond = median(rates.ar);
    this.report.transformersJsTokensPerSecond = median(rates.other);
    this.report.generate = {
      ...{ runs: chosen.length, equal },
      decodeTokensPerSecond: median(rates.arDecode),
      transformersJsDecodeTokensPerSecond: median(rates.otherDecode),
      prefillMs: median(cold.ar),
      transformersJsPrefillMs: median(cold.other),
      promptTokens: median(cold.tokens),
    };
  }

  /**
   * Costs on the timed transitions; exactness on all of them, or the reference's where all timed tokens are its own.
   * @param keep takes the setting; where answers behind the timed ones fail it has a smaller `exactN`, and then that is thrown
   */
  private async setting(kind: Kind, name: string, keep: (one: Setting) => void): Promise<void> {
    const { steps, seed, sizes, folders, references, provider } = this.job;
    const reference = references.get(name);
    const sampler = kind === 'mdlm' ? { name } : undefined;
    const itemsOf = (list: readonly EvalStep[]) => list.map((step) => itemOf(step, seed, sampler));
    await this.open(kind);
    const warmup = itemsOf(steps.slice(-sizes.warmup));
    const answers = await this.host.call(kind, 'answer', {
      ...{ items: itemsOf(steps.slice(0, sizes.timed)), warmup, flush: null },
    });
    const facts = { folder: folders[kind], machine: this.report.machine, seed };
    const timed = settingOf(kind, steps, answers, facts);
    const ids = idsOf(answers);
    const equal = reference ? ids.filter((one, i) => one === reference.ids[i]).length : 0;
    if (reference && equal === ids.length) {
      const { observationExact, observationExactInterval, exactN, exactFrom } = reference.setting;
      const sameTokens = { compared: ids.length, equal };
      return keep({ ...timed, observationExact, observationExactInterval, exactN, exactFrom, sameTokens });
    }
    // The first on this list, or other tokens: these have an exactness of their own.
    const failure = await this.answerRest(kind, itemsOf(steps), answers);
    const sameTokens = reference ? { compared: ids.length, equal } : null;
    const setting: Setting = { ...timed, ...exactnessOf(steps, answers), exactFrom: provider, sameTokens };
    if (!reference) references.set(name, { setting, ids });
    keep(setting);
    if (failure)
      throw new Error(`exactness on ${answers.length} of ${steps.length} transitions: ${messageOf(failure)}`);
  }

  /** Adds answers to all further items. @returns why some are missing; null where none is */
  private async answerRest(kind: Kind, items: BatchItem[], answers: BenchAnswer[]): Promise<Error | null> {
    try {
      while (answers.length < items.length) {
        const more = items.slice(answers.length, answers.length + CHUNK);
        answers.push(...(await this.host.call(kind, 'answer', { items: more, warmup: [], flush: null })));
      }
      return null;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  private async lanes(kind: Kind, lanes: number): Promise<void> {
    const { sizes, worlds } = this.job;
    const count = sizes.lanes.find((one) => one.lanes === lanes)?.worlds ?? lanes;
    await this.part(`${kind}, ${lanes} lanes`, SECONDS[kind] * count * sizes.laneSteps, async () => {
      // Lying evenly among all, so that few lanes meet the same mixture as many.
      const chosen = Array.from({ length: count }, (_, i) => {
        return worlds[Math.floor((i * worlds.length) / count)] as BatchItem[];
      });
      const groups: BatchItem[][][] = [];
      for (let at = 0; at + lanes <= count; at += lanes) {
        const group = chosen.slice(at, at + lanes);
        groups.push(Array.from({ length: sizes.laneSteps }, (_, round) => group.map((one) => one[round] as BatchItem)));
      }
      await this.open(kind);
      const warmup = groups[0]?.[0]?.slice(0, 2) ?? [];
      await this.host.call(kind, 'answer', { items: [], warmup, flush: null });
      const { costs, ms, shared, rejected } = await this.host.call(kind, 'lanes', { groups, together: lanes > 1 });
      if (rejected > 0) throw new Error(`${rejected} steps were not answered`);
      const seconds = ms.reduce((a, b) => a + b, 0) / 1000;
      const mostStepsPerSecond = this.mostStepsPerSecond(kind, groups.flat(2), costs);
      const steps = costs.length;
      const rate: LaneRate = { stepsPerSecond: steps / seconds, steps, rounds: ms.length, shared, mostStepsPerSecond };
      const before = this.report.lanes[lanes] ?? { ...NO_RATE, ar: NO_RATE };
      this.report.lanes[lanes] = kind === 'ar' ? { ...before, ar: rate } : { ...rate, ar: before.ar };
    });
  }

  /** By the operations of the steps alone: weights can be read once for all lanes, but every lane has its own sums to make. */
  private mostStepsPerSecond(kind: Kind, items: readonly BatchItem[], costs: readonly Cost[]): number | null {
    const { machine } = this.report;
    if (!machine) return null;
    const { shape, prompt } = this.job.folders[kind];
    const free = { ...machine, memoryGBs: Infinity };
    const ms = costs.map((cost, i) => {
      const promptTokens = prompt(items[i] as BatchItem).length;
      return transitionBound(kind, { ...cost, promptTokens }, shape, free).ms;
    });
    return (1000 * costs.length) / ms.reduce((a, b) => a + b, 0);
  }

  private async enduranceOf(kind: Kind, steps: number): Promise<Endurance> {
    const items = this.job.steps.slice(0, ENDURANCE_ITEMS).map((step) => itemOf(step, this.job.seed));
    // Whole rounds, so that the first and the last window answer the same.
    const window = Math.max(items.length, Math.min(WINDOW_STEPS, Math.floor(steps / 2 / items.length) * items.length));
    const run = (from: number, count: number): Promise<EnduranceResult> =>
      this.host.call(kind, 'endure', { items, from, steps: count });
    // Its memory is no other part's: a fresh browser.
    await this.host.drop();
    await this.open(kind);
    // The first round meets every shape once.
    await run(0, items.length);
    const first = await run(0, window);
    const page = await this.host.page();
    const before = await page.memory();
    const rest = await run(window, steps - window);
    const after = await page.memory();
    return {
      ...{ steps, windowSteps: window },
      earlyMs: median(first.ms) ?? NaN,
      lateMs: median(rest.ms.slice(-window)) ?? NaN,
      wasmBytes: [first.wasmBytes, rest.wasmBytes],
      memory: before && after && { measure: after.measure, bytes: [before.bytes, after.bytes] },
    };
  }
}
