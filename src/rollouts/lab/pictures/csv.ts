/** Tables as CSV. */

export type Cell = string | number | boolean | null;

export interface Table {
  head: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/**
 * RFC 4180: CRLF after every record, the head first, fields with a quote, a comma or a line break in quotes, quotes doubled.
 * Numbers have all their digits, so that reading them back gives the same doubles; null is an empty field.
 */
export function csvText({ head, rows }: Table): string {
  return [head, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function field(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  return /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
