/** The items of a batch as lanes that share their passes; what they are answered by is up to the kind of model. */
import { finishStep, type BatchItem, type Draft, type Prediction } from '../../world/simulator';
import { endsBatch } from './errors';
import { Gathering, runLanes } from './gathering';

/** Lanes that share passes at a time. More gain nothing on WebAssembly, and each needs memory for its past. */
export const LANES = 32;

/** How a kind of model works in lanes. */
export interface LaneWork<Request, Answer, Lane extends { release(): void }> {
  /** A lane's model; `ask` waits until all lanes ask. */
  open(ask: (request: Request) => Promise<Answer>): Lane;
  /** Answers what the lanes ask for together. */
  run(requests: readonly Request[]): Promise<Answer[]>;
  /** One answer by a lane's model. */
  answer(lane: Lane, item: BatchItem): AsyncIterable<Draft | Prediction>;
}

/**
 * Answers every item with a lane of its own, as `Simulator.simulateBatch`.
 * @param width lanes that are at work at a time
 */
export function runItems<Request, Answer, Lane extends { release(): void }>(
  items: readonly BatchItem[],
  { open, run, answer }: LaneWork<Request, Answer, Lane>,
  width: number,
  onAnswer?: (index: number, prediction: Prediction) => void,
): Promise<PromiseSettledResult<Prediction>[]> {
  const gathering = new Gathering<Request, Answer>(run);
  const work = async (index: number): Promise<Prediction> => {
    const lane = open((request) => gathering.ask(index, request));
    try {
      const prediction = await finishStep(answer(lane, items[index] as BatchItem));
      onAnswer?.(index, prediction);
      return prediction;
    } finally {
      lane.release();
    }
  };
  return runLanes(items.length, width, gathering, work, endsBatch);
}
