/**
 * JSON Merge Patch (RFC 7396), the form of every state delta: what changed and nothing else. `null` removes a member,
 * which is why states hold no null of their own.
 */
import { clone, emptyObject, equal, get, isObject, type Json, type JsonObject } from './json';

/** Applies a patch; neither argument is changed. Follows the MergePatch procedure of RFC 7396 §2. */
export function applyPatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return clone(patch);
  const out = isObject(target) ? clone(target) : emptyObject();
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = applyPatch(get(out, key) ?? null, value);
  }
  return out;
}

/** Applies a patch to a state, which stays an object since a delta is always one. */
export function applyDelta(state: JsonObject, delta: JsonObject): JsonObject {
  return applyPatch(state, delta) as JsonObject;
}

/**
 * The smallest merge patch that turns `before` into `after`: members in the order of `after`, then removals in the
 * order of `before`. Both must be free of null members, since a merge patch cannot express them.
 */
export function diffPatch(before: JsonObject, after: JsonObject): JsonObject {
  const out = emptyObject();
  for (const [key, value] of Object.entries(after)) {
    const old = get(before, key);
    if (old === undefined) out[key] = clone(value);
    else if (isObject(old) && isObject(value)) {
      const inner = diffPatch(old, value);
      if (Object.keys(inner).length > 0) out[key] = inner;
    } else if (!equal(old, value)) out[key] = clone(value);
  }
  for (const key of Object.keys(before)) if (get(after, key) === undefined) out[key] = null;
  return out;
}

/** Number of leaves a patch sets or removes: the size by which delta accuracy is broken down. */
export function changedFields(patch: Json): number {
  if (!isObject(patch)) return 1;
  return Object.values(patch).reduce<number>((sum, value) => sum + changedFields(value), 0);
}
