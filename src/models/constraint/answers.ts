/**
 * The two kinds of answers under an output schema, slot by slot. A success has an observation of the schema and the status
 * `ok`; an error has plain text and any other code; a delta is an object without lists in both.
 */
import type { Tokenizer } from '../../world/codec';
import type { Slot } from '../../world/types';
import { TokenAutomaton } from './automaton';
import type { Term } from './grammar';
import { DELTA, type SuccessGrammar } from './schema';
import { errorCode, literal, plainText } from './terms';

/** What an answer of one kind has in each slot; null for anything. */
export type Outcome = Record<Slot, TokenAutomaton | null>;
/** The same where every slot is held to something. */
export type FullOutcome = Record<Slot, TokenAutomaton>;

/** Grammars of observations that are kept: those of the calls that come again and again in a world. */
const KEPT = 32;

interface Kept {
  text: TokenAutomaton;
  delta: TokenAutomaton;
  ok: TokenAutomaton;
  error: TokenAutomaton;
  observations: Map<string, TokenAutomaton>;
}

const kept = new WeakMap<Tokenizer, Kept>();

/** The kinds of answers there are to a call: a success, where the schema can be met, and an error. */
export function outcomesOf({ term, key }: SuccessGrammar, tokenizer: Tokenizer): FullOutcome[] {
  const { text, delta, ok, error, observations } = keptFor(tokenizer);
  const observation = observations.get(key) ?? new TokenAutomaton(term, tokenizer);
  // The one that was used last stands last.
  observations.delete(key);
  observations.set(key, observation);
  if (observations.size > KEPT) observations.delete(observations.keys().next().value as string);
  return [
    ...(observation.start < 0 ? [] : [{ observation, delta, status: ok }]),
    { observation: text, delta, status: error },
  ];
}

function keptFor(tokenizer: Tokenizer): Kept {
  const known = kept.get(tokenizer);
  if (known) return known;
  const make = (term: Term) => new TokenAutomaton(term, tokenizer);
  const made = {
    ...{ text: make(plainText), delta: make(DELTA), ok: make(literal('ok')), error: make(errorCode) },
    observations: new Map<string, TokenAutomaton>(),
  };
  kept.set(tokenizer, made);
  return made;
}
