/** Identifiers an answer names although nothing it could have read holds them. */
import { answerText } from '../world/codec/answer';
import { callText, directivesText, worldText } from '../world/codec/text';
import type { Action, Context, Directive, SlotTexts, Transition } from '../world/types';

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/gs;
const RUN = /[\p{L}\p{N}]+(?:[-_.#@][\p{L}\p{N}]+)*/gu;

/**
 * Identifiers of a text: runs of letters and digits, joined by single `-_.#@`, that hold at least one letter and one digit
 * (`W17`, `zx-33`, `plan62.cfg`). Plain words and plain numbers are none. JSON escapes part runs.
 */
export function identifiers(text: string): Set<string> {
  const runs = text.replace(ESCAPE, ' ').match(RUN) ?? [];
  return new Set(runs.filter((run) => /\p{L}/u.test(run) && /\p{N}/u.test(run)));
}

/** Everything a simulator may have read before it answers, in the codec's own words. */
export function visibleText(context: Context, action: Action, directives: readonly Directive[]): string {
  const turns = context.history.flatMap((turn) => [
    directivesText(turn.directives),
    callText(turn.action),
    ...Object.values(turn.text),
  ]);
  return [...Object.values(worldText(context.world)), ...turns, directivesText(directives), callText(action)].join(
    '\n',
  );
}

/** Identifiers in observation and delta of an answer, and those of them that came from nowhere. */
export interface IdCounts {
  named: number;
  hallucinated: number;
}

/**
 * Counts the different identifiers of an answer's text (`metrics_formats.md` 3.4, 7). One is hallucinated when it stands
 * neither in what was visible (world, history, call, directives) nor in the true answer, which holds the new identifiers
 * a create may bring. Raw text is read, so an answer that does not parse is counted as well.
 * @param truth null in a world without truth: then every identifier that was not visible counts
 */
export function hallucinatedIds(visible: string, answer: SlotTexts, truth: Transition | null): IdCounts {
  const known = identifiers(truth ? `${visible}\n${Object.values(answerText(truth)).join('\n')}` : visible);
  const named = [...identifiers(`${answer.observation}\n${answer.delta}`)];
  return { named: named.length, hallucinated: named.filter((id) => !known.has(id)).length };
}
