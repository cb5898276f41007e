/** What a constraint did to an answer, counted while it is written. */
import type { ConstraintRecord, DraftToken } from '../../world/simulator';
import type { Slot } from '../../world/types';
import type { AnswerWindow, Guess } from '../diffusion/window';

export class ConstraintCounter {
  private readonly fired = { observation: 0, delta: 0, status: 0 };
  private readonly written = { observation: 0, delta: 0, status: 0 };

  /** @param open parts of the schema that are not held to */
  constructor(private readonly open: readonly string[]) {}

  /** Takes note of a token that was written; `changed` where it would have been another without the constraint. */
  note(slot: Slot, changed: boolean): void {
    this.written[slot]++;
    if (changed) this.fired[slot]++;
  }

  /** Takes note of the places of a window that a pass wrote. They were `before` masked; growing renumbers those behind. */
  take(window: AnswerWindow, before: readonly number[], guess: Guess): void {
    const slots = window.draft();
    if (guess.best.length !== slots.length + 1) return;
    for (const place of before) {
      if (window.isMasked(place)) continue;
      this.note((slots[place - 1] as DraftToken).slot, guess.free?.[place] !== guess.token[place]);
    }
  }

  /** The record of the answer. */
  get record(): ConstraintRecord {
    return {
      kind: 'schema',
      applied: true,
      written: { ...this.written },
      fired: { ...this.fired },
      open: [...this.open],
    };
  }
}

/** The record of a step that was to be held to a schema and has none. */
export function notApplied(): ConstraintRecord {
  const none = { observation: 0, delta: 0, status: 0 };
  return { kind: 'schema', applied: false, written: { ...none }, fired: { ...none }, open: [] };
}
