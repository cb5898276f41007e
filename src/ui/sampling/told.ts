/** What an answer tells about how it was chosen and what it was held to, as sentences. */
import type { ConstraintRecord, Selection } from '../../world/simulator';
import { count } from '../text';

/** How an answer was chosen among several by a verifier; null where there was none, or nothing to choose. */
export function describeChoice(selection: Selection | undefined): string | null {
  if (!selection || !Array.isArray(selection.scores) || selection.scores.length === 0) return null;
  const { chosen, scores } = selection;
  const listed = scores.map((score) => score.toFixed(2)).join(', ');
  return `Answer ${chosen + 1} of ${scores.length}, by the verifier\u2019s scores ${listed}.`;
}

/** What the schema did to an answer; null where it was to be held to none. */
export function describeConstraint(record: ConstraintRecord | undefined): string | null {
  if (!record) return null;
  if (!record.applied) return 'Not held to a schema: the tool has no output schema.';
  const sum = (counts: { readonly [slot: string]: number }) => Object.values(counts).reduce((a, b) => a + b, 0);
  const written = count(sum(record.written), 'token');
  const open = record.open.length > 0 ? ` Not held to: ${record.open.join(', ')}.` : '';
  return `Held to the schema: ${sum(record.fired)} of ${written} would have been others.${open}`;
}
