/** A lane of the page: a simulator, how it is doing, and what it writes at the moment. */
import type { Draft, Simulator } from '../world/simulator';
import type { LaneId } from './hash';
import type { LaneStatus } from './view';

export class LaneModel {
  status = $state.raw<LaneStatus | null>(null);
  draft = $state.raw<Draft | null>(null);
  waiting = $state(false);

  constructor(
    readonly id: LaneId,
    readonly simulator: Simulator,
  ) {}
}
