/** Steering directives as text: `fail(rate_limited) partial(2)`. The text is what models and links carry. */
import type { Parsed } from './json';
import type { Directive } from './types';

export const CODE = /^[a-z][a-z_]{0,23}$/;

/** One directive in its canonical spelling. */
export function formatDirective(directive: Directive): string {
  switch (directive.kind) {
    case 'fail':
      return `fail(${directive.code})`;
    case 'partial':
      return `partial(${directive.n})`;
    case 'empty':
    case 'terse':
      return directive.kind;
    default:
      return directive satisfies never;
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
        error: `"${word}" is not a directive; use fail(code), empty, partial(n) or terse, separated by spaces`,
      };
    }
    out.push(directive);
  }
  return { ok: true, value: out };
}

function toDirective(kind: string, argument: string | undefined): Directive | null {
  if (kind === 'fail' && argument !== undefined && CODE.test(argument)) return { kind, code: argument };
  if (kind === 'partial' && argument !== undefined && /^[1-9]\d?$/.test(argument)) return { kind, n: Number(argument) };
  if ((kind === 'empty' || kind === 'terse') && argument === undefined) return { kind };
  return null;
}
