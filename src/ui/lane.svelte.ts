/** A lane of the page: a simulator, how its model is doing, and what it writes at the moment. */
import { WorkerSimulator, type LaneStatus } from '../../workers/client';
import type { Lane } from '../rollouts';
import { TwinSimulator } from '../twins';
import type { Draft, Simulator } from '../world/simulator';
import type { LaneId, ProviderChoice, Settings } from './hash';
import type { Tokenizers } from './tokenizers.svelte';

/** Keys of the draws: one for each kind of lane, so that a lane draws the same whichever others run beside it. */
const KEYS: Record<LaneId, number> = { twin: 0, mdlm: 1, ar: 2, 'ar-transformers': 2 };

export class LaneModel {
  /** Null for the twin, which has nothing to load. */
  status = $state.raw<LaneStatus | null>(null);
  draft = $state.raw<Draft | null>(null);
  waiting = $state(false);
  readonly simulator: Simulator;
  /** URL of the model folder, or null for the twin. */
  readonly folder: string | null;
  readonly #worker: WorkerSimulator | null;

  /** @param models URL of the folder that holds `ar/` and `mdlm/` */
  constructor(
    readonly id: LaneId,
    models: string,
    readonly provider: ProviderChoice,
    private readonly tokenizers: Tokenizers,
  ) {
    if (id === 'twin') {
      this.folder = null;
      this.#worker = null;
      this.simulator = new TwinSimulator();
      return;
    }
    this.folder = `${models}${id === 'mdlm' ? 'mdlm' : 'ar'}/`;
    const onStatus = (status: LaneStatus) => (this.status = status);
    this.#worker = new WorkerSimulator({ id, baseUrl: this.folder, provider, onStatus });
    this.simulator = this.#worker;
    this.status = this.#worker.status;
  }

  /** Loads model and tokenizer; a failure is told by the status. Never rejects. */
  async load(): Promise<void> {
    if (!this.#worker || !this.folder) return;
    await Promise.all([this.#worker.load().catch(() => undefined), this.tokenizers.load(this.folder)]);
  }

  /** A fresh worker; a failure is told by the status. Never rejects. */
  async restart(): Promise<void> {
    await this.#worker?.restart().catch(() => undefined);
    if (this.folder) await this.tokenizers.load(this.folder);
  }

  dispose(): void {
    this.#worker?.dispose();
  }

  /** The lane as rollouts take it. */
  get forRollout(): Lane {
    return {
      id: this.id,
      simulator: this.simulator,
      options: { lane: KEYS[this.id] },
      model: () => this.status?.info ?? null,
      tokenizer: () => (this.folder ? this.tokenizers.get(this.folder) : null),
    };
  }
}

/** Lanes as the settings want them. Those that fit keep their loaded model; the others are disposed of. */
export function keepLanes(
  lanes: readonly LaneModel[],
  { lanes: wanted, provider }: Pick<Settings, 'lanes' | 'provider'>,
  models: string,
  tokenizers: Tokenizers,
): LaneModel[] {
  const fits = (lane: LaneModel) => wanted.includes(lane.id) && (lane.id === 'twin' || lane.provider === provider);
  for (const lane of lanes) if (!fits(lane)) lane.dispose();
  return wanted.map(
    (id) => lanes.find((lane) => lane.id === id && fits(lane)) ?? new LaneModel(id, models, provider, tokenizers),
  );
}
