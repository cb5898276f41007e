/** Ids that do not collide between tabs and machines. Not part of any answer, so they need no seed. */

/** Sixteen random hex digits. Works without a secure context, unlike `crypto.randomUUID`. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
