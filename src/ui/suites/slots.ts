/** Answers slot by slot, beside the true ones: where they differ, the differences. */
import { parseJson } from '../../world/json';
import { SLOTS, type Slot, type SlotTexts } from '../../world/types';
import { diffWordsWithSpace } from 'diff';
import { jsonDiff, type DiffPart } from '../compare';

export interface SlotView {
  slot: Slot;
  truth: string;
  answer: string | null;
  same: boolean;
  /** Null where they are the same, or there is no answer. */
  diff: { lines: boolean; parts: DiffPart[] } | null;
}

/** The slots of an answer; JSON is compared by its lines, so that the order of keys is no difference. */
export function slotViews(truth: SlotTexts, answer: SlotTexts | null): SlotView[] {
  return SLOTS.map((slot) => {
    const [right, given] = [truth[slot], answer?.[slot] ?? null];
    if (given === null || given === right)
      return { slot, truth: right, answer: given, same: given === right, diff: null };
    const [a, b] = [parseJson(given), parseJson(right)];
    const json = slot !== 'status' && a.ok && b.ok && typeof a.value === 'object' && typeof b.value === 'object';
    const parts = json
      ? jsonDiff(a.value, b.value)
      : diffWordsWithSpace(right, given).map(({ value, added, removed }): DiffPart => ({
          kind: added ? 'extra' : removed ? 'missing' : 'same',
          text: value,
        }));
    const same = parts.every(({ kind }) => kind === 'same');
    return { slot, truth: right, answer: given, same, diff: same ? null : { lines: json, parts } };
  });
}
