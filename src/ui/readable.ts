/** JSON Pointers and checks as people read them; the exact form stands in a title beside them. */
import type { Check } from '../world/types';

/** Between the parts of a path. */
const STEP = ' \u203a ';

const SIGNS: Record<Exclude<Check['op'], 'exists' | 'absent'>, string> = {
  '==': '=',
  '!=': '\u2260',
  '<': '<',
  '<=': '\u2264',
  '>': '>',
  '>=': '\u2265',
};

/** A JSON Pointer (RFC 6901) with its parts apart and unescaped: `files › bin/report1.log › l1`. */
export function readablePath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join(STEP);
}

/** A check as a newcomer reads it: `orders › W17 › status = "cancelled"`, `files › old.txt is not there`. */
export function readableCheck(check: Check): string {
  const path = readablePath(check.path) || 'the state';
  if ('value' in check) return `${path} ${SIGNS[check.op]} ${JSON.stringify(check.value)}`;
  return `${path} ${check.op === 'exists' ? 'is there' : 'is not there'}`;
}
