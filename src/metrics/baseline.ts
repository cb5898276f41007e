/** Answers that need no model: what every score is held against. */
import { answerText } from '../world/codec/answer';
import { emptyObject, stringify, type Json } from '../world/json';
import { NO_COST, type Prediction, type Simulator } from '../world/simulator';
import type { Action, Context, Directive, Transition } from '../world/types';
import type { Answer } from './types';

/**
 * The copy-nothing baseline: observation `{}`, delta `{}`, status `ok`, whatever was asked, at no cost. Its exact deltas are
 * the share of steps that change nothing, which is why delta accuracy is read on the changed ones.
 */
export function copyNothing(): Answer {
  return answerOf({ observation: { kind: 'json', value: emptyObject() }, delta: emptyObject(), status: 'ok' });
}

/** An answered step to learn from; take it from the training split. */
export interface Example {
  family: string;
  action: Action;
  directives: readonly Directive[];
  truth: Transition;
}

/**
 * The most-frequent-answer baseline: for a call under some directives the answer that was most frequent among the examples of the
 * same family, tool and kinds of directives; where there are none, of the same directives, and then of all. Of equally frequent ones
 * the first. What it gets right can be had without looking at the state.
 * @returns a function from a call to its answer; without examples it copies nothing
 */
export function mostFrequent(
  examples: Iterable<Example>,
): (family: string, action: Action, directives: readonly Directive[]) => Answer {
  const tables = new Map<string, Map<string, { n: number; transition: Transition }>>();
  for (const { family, action, directives, truth } of examples) {
    for (const key of keysOf(family, action, directives)) {
      const table = tables.get(key) ?? new Map<string, { n: number; transition: Transition }>();
      tables.set(key, table);
      const text = stringify(truth as unknown as Json);
      const entry = table.get(text) ?? { n: 0, transition: truth };
      entry.n++;
      table.set(text, entry);
    }
  }
  const best = new Map<string, Transition>();
  for (const [key, table] of tables) {
    let most = 0;
    for (const { n, transition } of table.values()) {
      if (n > most) best.set(key, transition);
      most = Math.max(most, n);
    }
  }
  return (family, action, directives) => {
    const key = keysOf(family, action, directives).find((one) => best.has(one));
    const transition = key === undefined ? undefined : best.get(key);
    return transition ? answerOf(transition) : copyNothing();
  };
}

/** From the closest group of examples to the widest. */
function keysOf(family: string, action: Action, directives: readonly Directive[]): string[] {
  const kinds = directives.map((one) => (one.kind === 'fail' ? `fail ${one.code}` : one.kind)).join(' ');
  const tool = 'tool' in action ? action.tool : '';
  return [`${family}\n${tool}\n${kinds}`, `\n${kinds}`, ''];
}

/** A simulator that answers by a function of what it is shown, at no cost; supports every world. */
export function baselineSimulator(
  id: string,
  answer: (context: Context, action: Action, directives: readonly Directive[]) => Answer,
): Simulator {
  return {
    id,
    supports: () => true,
    async *step(context, action, { directives, seed }, signal): AsyncGenerator<Prediction> {
      signal?.throwIfAborted();
      yield { kind: 'prediction', ...answer(context, action, directives), tokens: [], seed };
    },
  };
}

/** Copying nothing as a simulator, for lanes and rollouts. */
export const copyNothingSimulator = (): Simulator => baselineSimulator('copy-nothing', copyNothing);

/** The most frequent answer as a simulator; a world's family is that of its twin, or none. */
export function mostFrequentSimulator(examples: Iterable<Example>): Simulator {
  const answer = mostFrequent(examples);
  return baselineSimulator('most-frequent', ({ world }, action, directives) =>
    answer(world.twin?.family ?? '', action, directives),
  );
}

function answerOf(transition: Transition): Answer {
  return { transition, text: answerText(transition), parseErrors: [], cost: NO_COST };
}
