/** HTML and SVG as text. Whatever comes from a spec, a model or a family goes through `escape`. */
import type { Interval } from '../../metrics';
import type { ResultCell } from './tables';

const ENTITIES: { [char: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as it may stand in HTML, between tags and in quoted attributes. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
}

/** JSON that may stand in a `<script type="application/json">`: nothing in it ends the element or opens a comment. */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A table; the first column and the head are headings. Cells are HTML already. */
export function htmlTable(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const th = (cell: string, scope: string) => `<th scope="${scope}">${cell}</th>`;
  const body = rows.map(([first = '', ...cells]) => {
    return `<tr>${th(first, 'row')}${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const top = `<thead><tr>${head.map((cell) => th(cell, 'col')).join('')}</tr></thead>`;
  const inner = `<table><caption>${escape(caption)}</caption>${top}<tbody>${body.join('\n')}</tbody></table>`;
  return `<div class="scroll">${inner}</div>`;
}

/** A share with its interval and its denominator, as HTML. */
export function shareCell(part: { sum: number; n: number; mean: number | null; interval: Interval | null }): string {
  if (part.mean === null) return '<span class="none">none</span>';
  const { interval, n, sum } = part;
  const range = interval ? `<small>[${fixed(interval[0])}, ${fixed(interval[1])}]</small> ` : '';
  return `${fixed(part.mean)} ${range}<small>${Number.isInteger(sum) ? sum : sum.toFixed(1)} of ${n}</small>`;
}

/** A cell of a table as HTML. */
export function cellHtml(cell: ResultCell): string {
  switch (cell.kind) {
    case 'share':
      return shareCell(cell);
    case 'text':
      return escape(cell.text);
    case 'hidden':
      return `<span class="none">not shown: ${escape(cell.reason)}</span>`;
    case 'number': {
      const { value, digits, interval, n } = cell;
      if (value === null) return '<span class="none">none</span>';
      const range = interval ? ` <small>[${fixed(interval[0], digits)}, ${fixed(interval[1], digits)}]</small>` : '';
      return `${fixed(value, digits)}${range}${n === undefined ? '' : ` <small>n ${n}</small>`}`;
    }
    default:
      return cell satisfies never;
  }
}

export function fixed(x: number | null, digits = 3): string {
  return x === null ? 'none' : x.toFixed(digits);
}
