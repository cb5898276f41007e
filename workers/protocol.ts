/**
 * What the page and a simulator worker say to each other. Calls go through comlink; what flows during a call (progress,
 * drafts, cancelling) goes over a MessagePort of that call, since neither AbortSignals nor iterators cross comlink. Failures
 * travel as data, because comlink keeps of an error only its name and message.
 */
import type { Failure, LoadProgress, ModelInfo, ProviderName } from '../src/models';
import type { Draft, Prediction, StepOptions } from '../src/world/simulator';
import type { Action, Context } from '../src/world/types';

export interface LoadRequest {
  /** Absolute address of the model folder. */
  baseUrl: string;
  provider: ProviderName | 'auto';
  runtime: ModelInfo['runtime'];
  /** Why an earlier worker gave WebGPU up. */
  fallbackReason?: string;
}

/** From the worker while it loads. `alive` comes every two seconds, so silence means that the worker hangs. */
export type LoadMessage =
  | { type: 'progress'; progress: LoadProgress }
  | { type: 'alive' }
  | { type: 'loaded'; info: ModelInfo }
  | { type: 'failed'; failure: Failure };

/** From the worker while it answers; the last one is none of the first two. */
export type StepMessage =
  | { type: 'draft'; draft: Draft }
  | { type: 'alive' }
  | { type: 'prediction'; prediction: Prediction }
  | { type: 'cancelled' }
  | { type: 'failed'; failure: Failure };

/** To the worker during a call: stop before the next forward pass. */
export const CANCEL = 'cancel';

/** The calls of a worker; each ends when its last message is sent. */
export interface SimulatorApi {
  load(request: LoadRequest, port: MessagePort): Promise<void>;
  step(context: Context, action: Action, options: StepOptions, port: MessagePort): Promise<void>;
}
