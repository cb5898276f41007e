/** Ids of runs. They name things and have no part in any answer, so they need no seed. */

/** A random id of 16 hex digits; works outside secure contexts too, where `randomUUID` is missing. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `run-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
