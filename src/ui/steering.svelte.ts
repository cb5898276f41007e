/** What is asked of the next answers beside the action: directives a person chose, and the faults of a plan. */
import { scheduleOf, withFaults } from '../rollouts';
import type { FamilyInfo } from '../twins';
import type { Pin } from '../world/anchors';
import { equal } from '../world/json';
import type { Directive } from '../world/types';
import type { Settings } from './hash';
import { pinKey, withPin, withoutPin } from './pins/pins';

type Wanted = Pick<Settings, 'faults' | 'faultSteps' | 'seed'>;

export class Steering {
  /** Directives of the next turn that a person chose; faults come on top. */
  directives = $state.raw<Directive[]>([]);
  /** Values that the next step's answers must have; they go with that step. */
  pins = $state.raw<readonly Pin[]>([]);
  /** Directives of each step by the fault plan, or why it does not fit. */
  faults = $derived.by(() => {
    const { faults, faultSteps, seed } = this.settings();
    return scheduleOf(faults, this.family()?.failCodes ?? [], faultSteps, seed);
  });

  /**
   * @param settings gives those of the page as they are now
   * @param family gives the family of the open world; undefined for one that no family made
   */
  constructor(
    private readonly settings: () => Wanted,
    private readonly family: () => FamilyInfo | undefined,
  ) {}

  /** Another world: what was asked of the old one has no meaning for it. */
  clear(): void {
    this.directives = [];
    this.pins = [];
  }

  /** Pins a value, or lets it go if it is pinned. Gives what is wrong with it, or null. */
  toggle(pin: Pin): string | null {
    const known = this.pins.find((one) => pinKey(one) === pinKey(pin));
    if (known && equal(known.value, pin.value)) {
      this.pins = withoutPin(this.pins, pinKey(pin));
      return null;
    }
    const next = withPin(this.pins, pin);
    if (next.ok) this.pins = next.value;
    return next.ok ? null : next.error;
  }

  /** What the step with this index is asked to be like: as chosen, with the fault that the plan has there. */
  directivesAt(index: number): Directive[] {
    return withFaults(this.directives, this.faults.ok ? this.faults.value[index] : []);
  }
}
