/** A suite at work in the worker of the lab: its models, pause, and parts as they are done. */
import { Pace, type Lane } from '../../rollouts';
import { suiteParts, type SuitePart } from '../../rollouts/suites';
import { checkModels, openLanes, type OpenModel } from './openLanes';
import type { SuiteMessage, SuiteRequest } from './protocol';

/** Between two messages with parts: what is done is with the page soon, and a twin's thousand parts are not a thousand messages. */
const PARTS_MS = 100;

export class SuiteWork {
  readonly #pace = new Pace();
  #parts: SuitePart[] = [];
  #sentAt = -Infinity;
  /** Work begins when the models are there; rests are pauses. */
  #began = 0;
  #rested = 0;
  #pausedAt: number | null = null;

  constructor(
    private readonly request: SuiteRequest,
    private readonly send: (message: SuiteMessage) => void,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws LabError, ModelError or RangeError when it failed; what was done before was sent. Being cancelled is no error. */
  async run(): Promise<void> {
    const { suite, spec, skip } = this.request;
    const opened = new Map<string, OpenModel>();
    try {
      const lanes = await this.#open(opened);
      this.#began = performance.now();
      this.#pace.begin();
      let done = skip;
      for await (const part of suiteParts(suite, spec, lanes, { signal: this.signal, skip })) {
        done = part.done;
        this.#parts.push(part);
        if (performance.now() - this.#sentAt >= PARTS_MS || done === part.total) this.#flush();
        await this.#gate();
      }
      this.#flush();
      this.send({ type: 'ended', done: true });
    } catch (error) {
      this.#flush();
      if (!this.signal.aborted) throw error;
      this.send({ type: 'ended', done: false });
    } finally {
      for (const { simulator } of opened.values()) simulator.dispose();
    }
  }

  /** Before the next part. */
  pause(): void {
    this.#pace.pause();
  }

  resume(): void {
    this.#pace.resume();
  }

  async #open(opened: Map<string, OpenModel>): Promise<Lane[]> {
    const { simulators, before } = this.request;
    const { lanes, models } = await openLanes(
      simulators,
      this.request,
      opened,
      (simulator, status) => this.send({ type: 'model', simulator, status }),
      this.signal,
    );
    if (before) checkModels(before, models);
    this.send({ type: 'models', models });
    return simulators.map(({ id, options }) => {
      const lane = lanes[id] as Omit<Lane, 'id'>;
      return { ...lane, id, options: { ...lane.options, ...options } };
    });
  }

  async #gate(): Promise<void> {
    if (!this.#pace.paused) return;
    this.#pausedAt = performance.now();
    this.#flush();
    this.send({ type: 'paused', paused: true });
    await this.#pace.gate(this.signal);
    this.#rested += performance.now() - this.#pausedAt;
    this.#pausedAt = null;
    this.send({ type: 'paused', paused: false });
  }

  #flush(): void {
    const last = this.#parts.at(-1);
    if (!last) return;
    const now = performance.now();
    const workedMs = (this.#pausedAt ?? now) - this.#began - this.#rested;
    const leftMs = (workedMs / (last.done - this.request.skip)) * (last.total - last.done);
    this.send({ type: 'parts', parts: this.#parts, workedMs, leftMs });
    this.#parts = [];
    this.#sentAt = now;
  }
}
