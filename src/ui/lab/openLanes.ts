/** The simulators of a batch in the worker of the lab: models in workers of their own, and whether they are those of before. */
import { WorkerSimulator, type LaneStatus } from '../../../workers/client';
import type { ModelInfo } from '../../models';
import { changedModel, DRAW_KEYS, LabError, type LabLane, type LabModels, type LabSimulator } from '../../rollouts/lab';
import { TwinSimulator } from '../../twins';
import type { RunRequest } from './protocol';

/** A simulator of a batch that runs in a worker of its own. */
export interface OpenModel {
  simulator: WorkerSimulator;
  info: ModelInfo | null;
}

/**
 * Opens each kind of model once, in a worker of its own, one after another.
 * @param opened gets them, also when a later one fails: whoever calls disposes of them
 * @throws ModelError when one does not load; the signal's reason when aborted
 */
export async function openLanes(
  simulators: readonly Pick<LabSimulator, 'id' | 'kind'>[],
  { models: folder, provider }: Pick<RunRequest, 'models' | 'provider'>,
  opened: Map<string, OpenModel>,
  onStatus: (simulator: string, status: LaneStatus) => void,
  signal: AbortSignal,
): Promise<{ lanes: { [id: string]: LabLane }; models: LabModels }> {
  const lanes: { [id: string]: LabLane } = {};
  const models: LabModels = {};
  for (const { id, kind } of simulators) {
    models[id] = null;
    if (kind === 'twin') {
      lanes[id] = { simulator: new TwinSimulator(), options: { lane: DRAW_KEYS.twin } };
      continue;
    }
    let open = opened.get(kind);
    if (!open) {
      const made: OpenModel = (open = {
        info: null,
        simulator: new WorkerSimulator({
          id: kind === 'transformers' ? 'ar-transformers' : kind,
          baseUrl: new URL(`${kind === 'mdlm' ? 'mdlm' : 'ar'}/`, folder).href,
          provider,
          onStatus: (status) => {
            // What comes with every step is no news.
            const known = status.phase === 'busy' || (status.phase === 'ready' && made.info !== null);
            if (!known) onStatus(id, status);
            if (status.info) made.info = status.info;
          },
        }),
      });
      opened.set(kind, open);
      await untilAborted(open.simulator.load(), signal);
    }
    const { simulator } = open;
    const model = () => opened.get(kind)?.info ?? null;
    models[id] = model();
    lanes[id] = { simulator, options: { lane: DRAW_KEYS[kind] }, model };
  }
  return { lanes, models };
}

/**
 * Answers of two models in one table would be of neither.
 * @throws LabError `other_batch` that names what differs
 */
export function checkModels(before: LabModels, now: LabModels): void {
  const changed = changedModel(before, now);
  if (!changed) return;
  const say = (info: ModelInfo | null | undefined) =>
    info ? `${info.id} ${info.version}, ${info.dtype}, on ${info.provider}` : 'nothing';
  throw new LabError(
    'other_batch',
    `"${changed.simulator}" is not the model this batch was begun with (${changed.fields.join(', ')}): then ` +
      `${say(before[changed.simulator])}, now ${say(now[changed.simulator])}.`,
    'Start the spec again as a new batch; what this one has is kept.',
  );
}

/** What the promise gives, or the signal's reason as soon as it is aborted. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}
