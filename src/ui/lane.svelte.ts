/** A lane of the page: a simulator with settings of its own, how its model is doing, and what it writes at the moment. */
import { WorkerSimulator, type LaneStatus } from '../../workers/client';
import type { Lane } from '../rollouts';
import { TwinSimulator } from '../twins';
import type { Pin } from '../world/anchors';
import type { Draft, Simulator, StepOptions } from '../world/simulator';
import type { Settings } from './hash';
import { laneIdsOf, laneKind, type LaneId, type LaneSpec } from './lanes';
import type { ProviderChoice } from './limits';
import type { Sampling } from './sampling/fields';
import { optionsOf } from './sampling/options';
import type { Tokenizers } from './tokenizers.svelte';

/** Keys of the draws: one for each kind of lane, so that a lane draws the same whichever others run beside it. */
const KEYS: Record<LaneId, number> = { twin: 0, mdlm: 1, ar: 2, 'ar-transformers': 2 };
/** Between the keys of two lanes of one model, which draw apart. */
const KEYS_APART = 8;

/**
 * A model in its worker. All lanes with this model on this provider share it: the weights are in memory once. A row asks its
 * lanes one after another, so they never meet in it.
 */
class Engine {
  status = $state.raw<LaneStatus>({ phase: 'idle' });
  #waiting: (() => void)[] = [];
  readonly worker: WorkerSimulator;
  /** URL of the model folder. */
  readonly folder: string;

  constructor(
    readonly model: Exclude<LaneId, 'twin'>,
    models: string,
    readonly provider: ProviderChoice,
  ) {
    this.folder = `${models}${model === 'mdlm' ? 'mdlm' : 'ar'}/`;
    const onStatus = (status: LaneStatus) => {
      this.status = status;
      if (status.phase !== 'busy') for (const resolve of this.#waiting.splice(0)) resolve();
    };
    this.worker = new WorkerSimulator({ id: model, baseUrl: this.folder, provider, onStatus });
  }

  /** Resolves when the model is at no answer. */
  idle(): Promise<void> {
    if (this.status.phase !== 'busy') return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

export class LaneModel {
  draft = $state.raw<Draft | null>(null);
  waiting = $state(false);
  readonly simulator: Simulator;

  /** @param engine null for the twin, which has nothing to load */
  constructor(
    readonly id: string,
    readonly spec: LaneSpec,
    readonly engine: Engine | null,
    private readonly tokenizers: Tokenizers,
  ) {
    this.simulator = engine?.worker ?? new TwinSimulator();
  }

  /** Null for the twin. Lanes that share a worker share its status. */
  get status(): LaneStatus | null {
    return this.engine?.status ?? null;
  }

  /** URL of the model folder, or null for the twin. */
  get folder(): string | null {
    return this.engine?.folder ?? null;
  }

  /** Resolves when the lane's model is at no answer. */
  async idle(): Promise<void> {
    await this.engine?.idle();
  }

  /** Loads model and tokenizer; a failure is told by the status. Never rejects. */
  async load(): Promise<void> {
    if (!this.engine) return;
    const { worker, folder } = this.engine;
    await Promise.all([worker.load().catch(() => undefined), this.tokenizers.load(folder)]);
  }

  /** A fresh worker; a failure is told by the status. Never rejects. */
  async restart(): Promise<void> {
    if (!this.engine) return;
    await this.engine.worker.restart().catch(() => undefined);
    await this.tokenizers.load(this.engine.folder);
  }

  /**
   * The lane as rollouts take it.
   * @param now gives what all lanes share at the moment a step begins, and the pins of that step
   */
  forRollout(now: () => { sampling: Sampling; pins: readonly Pin[] }): Lane {
    const { id, spec, simulator, engine } = this;
    const key = KEYS[spec.model] + KEYS_APART * ((laneKind(id)?.n ?? 1) - 1);
    return {
      id,
      simulator,
      get options(): Partial<StepOptions> {
        const { sampling, pins } = now();
        const pinned = spec.model === 'twin' || pins.length === 0 ? {} : { pins: [...pins] };
        return { ...optionsOf(spec, sampling), ...pinned, lane: key };
      },
      model: () => engine?.status.info ?? null,
      tokenizer: () => (engine ? this.tokenizers.get(engine.folder) : null),
    };
  }
}

/** Lanes as the settings want them. Models that are still wanted stay loaded; the others are disposed of. */
export function keepLanes(
  lanes: readonly LaneModel[],
  { lanes: wanted, provider: shared }: Pick<Settings, 'lanes' | 'provider'>,
  models: string,
  tokenizers: Tokenizers,
): LaneModel[] {
  const old = lanes.flatMap(({ engine }) => engine ?? []);
  const engines: Engine[] = [];
  const engineOf = ({ model, provider = shared }: LaneSpec): Engine | null => {
    if (model === 'twin') return null;
    const fits = (engine: Engine) => engine.model === model && engine.provider === provider;
    const engine = [...engines, ...old].find(fits) ?? new Engine(model, models, provider);
    engines.push(engine);
    return engine;
  };
  const ids = laneIdsOf(wanted);
  const kept = wanted.map((spec, i) => {
    const id = ids[i] as string;
    const engine = engineOf(spec);
    const same = lanes.find((lane) => lane.id === id && lane.spec === spec && lane.engine === engine);
    return same ?? new LaneModel(id, spec, engine, tokenizers);
  });
  for (const engine of old) if (!engines.includes(engine)) engine.worker.dispose();
  return kept;
}
