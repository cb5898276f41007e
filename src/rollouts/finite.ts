/** JSON has no NaN and no Infinity; a model can bring both: `1e999` parses to Infinity, and a broken device gives NaN. */
import { emptyObject } from '../world/json';
import type { ParseError, Prediction } from '../world/simulator';
import type { Observation, Transition } from '../world/types';
import { RolloutError } from './errors';
import { findNonFinite } from './records';

/**
 * The prediction as it may enter a state and a record. A number that is too large, in observation or delta, is a parse
 * error of its slot, which then stays as it does for every unparsable slot: the observation as plain text, the delta
 * empty. A slot already reported as unparsable changes nothing either, whatever the simulator put there.
 * @throws RolloutError `not_finite` when a confidence or a cost is no number: then the machinery is broken
 */
export function finite(prediction: Prediction): Prediction {
  const { transition, parseErrors, ...rest } = prediction;
  const bad = findNonFinite(rest);
  if (bad !== null) {
    throw new RolloutError(
      'not_finite',
      `The model gave a value that is no number (${bad}).`,
      'Restart the lane; if it happens again, choose the other execution provider.',
    );
  }
  const errors: ParseError[] = [...parseErrors];
  const out: Transition = { ...transition };
  if (findNonFinite(transition.observation) !== null) {
    errors.push({ slot: 'observation', message: 'a number is too large' });
    out.observation = { kind: 'text', text: prediction.text.observation } satisfies Observation;
  }
  if (findNonFinite(transition.delta) !== null) errors.push({ slot: 'delta', message: 'a number is too large' });
  if (errors.some(({ slot }) => slot === 'delta')) out.delta = emptyObject();
  return { ...prediction, transition: out, parseErrors: errors };
}
