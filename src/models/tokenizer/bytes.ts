/**
 * The byte-to-character table of byte-level BPE files (GPT-2's bytes_to_unicode): printable bytes stand for themselves,
 * the others for characters from U+0100 on. Only the tokenizer file needs it; at run time bytes are bytes.
 */

function build(): string[] {
  const printable = (b: number) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || (b >= 174 && b <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, b) => String.fromCharCode(printable(b) ? b : next++));
}

/** Character of every byte. */
export const BYTE_CHARS: readonly string[] = build();

const CHAR_BYTES = new Map(BYTE_CHARS.map((char, byte) => [char, byte]));

/**
 * Bytes of a token as it is spelled in a tokenizer file.
 * @throws Error for a character outside the table.
 */
export function tokenBytes(spelling: string): number[] {
  return [...spelling].map((char) => {
    const byte = CHAR_BYTES.get(char);
    if (byte === undefined) throw new Error(`"${spelling}" is not a byte-level token`);
    return byte;
  });
}
