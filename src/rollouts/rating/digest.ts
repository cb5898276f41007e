/** Hashes that name pairs and models. */

/** SHA-256 of a text in UTF-8, lower-case hex. Needs a secure context (https or localhost), as the models do. */
export async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The first 16 hex digits of it. */
export async function digest(text: string): Promise<string> {
  return (await sha256(text)).slice(0, 16);
}
