/** Steering directives as text: `fail(rate_limited) partial(2)`. The text is what models and links carry. */
import type { Parsed } from './json';
import type { Directive } from './types';

export const CODE = /^[a-z][a-z_]{0,23}$/;

/**
 * Kinds of directives with what each asks for, in the order in which they apply. Exact meanings: `steer` in
 * src/twins/kit/steer.ts.
 */
export const DIRECTIVE_KINDS = {
  fail: 'the call fails with this code and is not executed',
  stale: 'look-ups answer from the state at the start of the visible context',
  scarce: 'look-ups miss the last record of every collection',
  misleading: 'changes are reported and not made; look-ups answer for the next record',
  empty: 'a successful answer is shown empty',
  partial: 'only the first n items, members or lines are shown',
  terse: 'records keep their first member, texts their first line',
  verbose: 'a record (two of a list) is shown whole, a text with its further lines',
} as const satisfies Record<Directive['kind'], string>;

/** Directives without an argument. */
type Plain = Exclude<Directive['kind'], 'fail' | 'partial'>;

function isPlain(kind: string): kind is Plain {
  return Object.hasOwn(DIRECTIVE_KINDS, kind) && kind !== 'fail' && kind !== 'partial';
}

/** One directive in its canonical spelling. */
export function formatDirective(directive: Directive): string {
  switch (directive.kind) {
    case 'fail':
      return `fail(${directive.code})`;
    case 'partial':
      return `partial(${directive.n})`;
    default:
      return directive.kind satisfies Plain;
  }
}

/** Directives joined by one space, in the order given. */
export function formatDirectives(directives: readonly Directive[]): string {
  return directives.map(formatDirective).join(' ');
}

/**
 * Parses a list of directives separated by spaces. The error says which word is wrong and what is possible.
 */
export function parseDirectives(text: string): Parsed<Directive[]> {
  const out: Directive[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const match = /^([a-z]+)(?:\(([^()]*)\))?$/.exec(word);
    const directive = match ? toDirective(match[1] ?? '', match[2]) : null;
    if (!directive) {
      return {
        ok: false,
        error: `"${word}" is not a directive; use fail(code), partial(n), empty, terse, verbose, scarce, stale or misleading, separated by spaces`,
      };
    }
    out.push(directive);
  }
  return { ok: true, value: out };
}

function toDirective(kind: string, argument: string | undefined): Directive | null {
  if (kind === 'fail' && argument !== undefined && CODE.test(argument)) return { kind, code: argument };
  if (kind === 'partial' && argument !== undefined && /^[1-9]\d?$/.test(argument)) return { kind, n: Number(argument) };
  if (isPlain(kind) && argument === undefined) return { kind };
  return null;
}
