/** Answers held to the output schema of the tool (docs/decisions/0007-schema-constraint.md); off unless it is asked for. */
import { largerSize, type SlotSizes, type Tokenizer } from '../../world/codec';
import type { StepOptions } from '../../world/simulator';
import type { Action, Context, Slot } from '../../world/types';
import { AnswerWindow } from '../diffusion/window';
import { ModelError } from '../errors';
import { pathsOf, type Placed } from '../pins';
import { outcomesOf, type FullOutcome, type Outcome } from './answers';
import { TokenAutomaton } from './automaton';
import { pinnedAnswer } from './pinned';
import { successGrammar } from './schema';
import { noAnswer } from './stream';
import { WindowConstraint, viewOf } from './window';

export { ConstraintCounter, notApplied } from './report';
export { StreamConstraint } from './stream';
export { WindowConstraint, viewOf } from './window';

/** A constraint that was asked for. `outcomes` is null where the tool has no output schema. */
export interface Constraint {
  outcomes: readonly FullOutcome[] | null;
  /** Parts of the schema that are not held to, as JSON Pointers. */
  open: string[];
}

/**
 * The constraint of a step; null unless the options ask for one.
 * @throws ModelError `bad_options` for a constraint that does not exist
 */
export function openConstraint(
  { constraint, directives }: StepOptions,
  context: Context,
  action: Action,
  tokenizer: Tokenizer,
): Constraint | null {
  if (constraint === undefined) return null;
  if (constraint !== 'schema') {
    const message = `There is no constraint "${String(constraint)}".`;
    throw new ModelError('bad_options', message, 'Use "schema", or leave it out.');
  }
  const grammar = successGrammar(context, action, directives);
  if (!grammar) return { outcomes: null, open: [] };
  const { open, term } = grammar;
  // A schema that no observation can meet holds nothing, and an answer may be anything but a success.
  return { outcomes: outcomesOf(grammar, tokenizer), open: term.least === Infinity ? ['', ...open] : open };
}

/** What the windows of a step are held to. */
export interface OpenWindow {
  /** Null where nothing binds them: the tool has no output schema. */
  window: WindowConstraint | null;
  /** Sizes in which there is an answer, at least those that the pins need. */
  sizes: SlotSizes;
  /** Parts of the schema that are not held to; null where only pins bind. */
  open: string[] | null;
}

/**
 * What a step's windows are held to: the schema where the options ask for it, and JSON in which pinned fields stand.
 * Null for nothing. Slots in which no answer fits grow at once.
 * @throws ModelError `bad_options` when no answer has what is pinned
 */
export function openWindow(
  options: StepOptions,
  context: Context,
  action: Action,
  { fixed, sizes: least, placed }: Placed,
  tokenizer: Tokenizer,
): OpenWindow | null {
  const constraint = openConstraint(options, context, action, tokenizer);
  const { pins = [] } = options;
  const pinned = pinnedAnswer(pins, pathsOf(pins, context.world, action), placed, tokenizer);
  const outcomes = withPins(constraint?.outcomes ?? null, pinned, tokenizer);
  if (!outcomes) return constraint && { window: null, sizes: least, open: constraint.open };
  const open = constraint?.outcomes ? constraint.open : null;
  const window = new WindowConstraint(outcomes, tokenizer.vocabSize);
  for (let sizes = least; ;) {
    const slot = window.problem(viewOf(new AnswerWindow(sizes, { fixed })), sizes);
    if (slot === null) return { window, sizes, open };
    const larger = largerSize(slot, sizes[slot]);
    // A slot that is pinned whole is filled to its end, so it does not get better by growing.
    const whole = fixed[slot]?.length === sizes[slot] && fixed[slot].every((place) => place && 'id' in place);
    if (larger === undefined || whole) throw open ? noAnswer() : noRoom(slot);
    sizes = { ...sizes, [slot]: larger };
  }
}

const joined = new WeakMap<TokenAutomaton, WeakMap<TokenAutomaton, TokenAutomaton>>();

/** Kinds of answers that have the pinned fields as well; null where nothing is held to anything. */
function withPins(
  outcomes: readonly FullOutcome[] | null,
  pinned: Outcome | null,
  tokenizer: Tokenizer,
): readonly Outcome[] | null {
  if (!outcomes) return pinned && [pinned];
  if (!pinned) return outcomes;
  const join = (own: TokenAutomaton, more: TokenAutomaton | null) => {
    if (!more) return own;
    const known = joined.get(own) ?? new WeakMap<TokenAutomaton, TokenAutomaton>();
    joined.set(own, known);
    const both = known.get(more) ?? new TokenAutomaton([own, more], tokenizer);
    known.set(more, both);
    return both;
  };
  return outcomes.map(({ observation, delta, status }) => ({
    observation: join(observation, pinned.observation),
    delta: join(delta, pinned.delta),
    status: join(status, pinned.status),
  }));
}

function noRoom(slot: Slot): ModelError {
  const message = `No JSON with the pinned fields of the ${slot} fits into its largest window.`;
  return new ModelError('bad_options', message, 'Pin less of it.');
}
