/** Whether what must stay the same in sum stays the same: transfers, moves between stocks, quotas. */
import { binary, NOT_COUNTED } from './definition';
import { collectionsOf } from './paths';
import { currentState } from '../world/codec/fold';
import { get, isObject, type JsonObject } from '../world/json';
import { applyDelta } from '../world/mergePatch';
import type { State } from '../world/types';

/** A numeric field of a collection, such as `accounts/balance`. */
export interface Account {
  collection: string;
  field: string;
}

/** Fields that the true delta moves between two or more records of a collection without changing their sum. */
export function conservedFields(before: State, trueDelta: JsonObject): Account[] {
  const after = applyDelta(before, trueDelta);
  return collectionsOf(before).flatMap(([collection, records]) => {
    const later = get(after, collection);
    if (!isObject(later)) return [];
    const fields = new Set(Object.values(records).flatMap((record) => (isObject(record) ? Object.keys(record) : [])));
    return [...fields]
      .filter((field) => {
        const moved = Object.keys(records).filter((id) => valueOf(records, id, field) !== valueOf(later, id, field));
        const sum = sumOf(before, { collection, field });
        return moved.length >= 2 && sum !== null && sum === sumOf(after, { collection, field });
      })
      .map((field) => ({ collection, field }));
  });
}

/** Sum of a field over its collection; null when a record has it and it is no number, or when no record has it. */
export function sumOf(state: State, { collection, field }: Account): number | null {
  const records = get(state, collection);
  const values = Object.values(isObject(records) ? records : {}).flatMap((record) => {
    const value = isObject(record) ? get(record, field) : undefined;
    return value === undefined ? [] : [value];
  });
  if (values.length === 0 || values.some((value) => typeof value !== 'number')) return null;
  return (values as number[]).reduce((sum, value) => sum + value, 0);
}

function valueOf(records: JsonObject, id: string, field: string) {
  const record = get(records, id);
  return isObject(record) ? get(record, field) : undefined;
}

/**
 * Balance conservation (`metrics_formats.md` 3.4, 9): over the steps whose true delta moves a number between records, the share
 * of answers whose delta keeps the same sums. Changing nothing keeps them as well: read it beside `deltaExactChanged`.
 */
export const conservation = binary((score, { context, truth, answer }) => {
  if (score.changed < 2) return NOT_COUNTED;
  const before = currentState(context);
  const fields = conservedFields(before, truth.delta);
  if (fields.length === 0) return NOT_COUNTED;
  const after = applyDelta(before, answer.transition.delta);
  const kept = fields.every((account) => sumOf(after, account) === sumOf(before, account));
  return { sum: Number(score.parseOk === 1 && kept), n: 1 };
});
