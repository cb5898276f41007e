/** Who acts when no person does. Every agent is a function of its seed and of what it has seen. */
import { isDone } from '../world/checks';
import { Rng } from '../world/rng';
import type { Agent } from '../world/simulator';
import type { Action } from '../world/types';
import { sampleCall, spoil } from './sample';

export { sampleArgs, sampleCall, spoil } from './sample';

/** Calls random tools with plausible arguments. */
export function randomAgent(seed: number): Agent {
  const rng = Rng.of('random', seed);
  return {
    id: 'random',
    act: (view) => Promise.resolve(sampleCall(rng.fork(view.steps.length), view.world.tools, view.state)),
  };
}

/** Does what `inner` does, except for a share `rate` of its turns, in which it calls a random tool. */
export function noisyAgent(inner: Agent, rate: number, seed: number): Agent {
  if (!(rate >= 0 && rate <= 1)) throw new RangeError(`the noise rate must lie between 0 and 1, not ${rate}`);
  const rng = Rng.of('noisy', seed);
  const random = randomAgent(seed);
  return {
    id: `noisy-${inner.id}`,
    act: (view, signal) => (rng.fork(view.steps.length).chance(rate) ? random : inner).act(view, signal),
  };
}

/** Does what `inner` does while the task is not done, and what `after` does while it is. */
export function untilDone(inner: Agent, after: Agent): Agent {
  return {
    id: inner.id,
    act: (view, signal) => (isDone(view.world.task, view.state) ? after : inner).act(view, signal),
  };
}

/** Sends calls that are wrong in one way or another: unknown tools, bad arguments, text that is no call. */
export function malformedAgent(seed: number): Agent {
  const rng = Rng.of('malformed', seed);
  return {
    id: 'malformed',
    act: (view) => {
      const own = rng.fork(view.steps.length);
      return Promise.resolve(spoil(own, sampleCall(own, view.world.tools, view.state)));
    },
  };
}

/**
 * Repeats recorded actions.
 * @throws RangeError from `act` when all of them are used up
 */
export function replayAgent(actions: readonly Action[]): Agent {
  return {
    id: 'replay',
    act: (view) => {
      const action = actions[view.steps.length];
      return action
        ? Promise.resolve(action)
        : Promise.reject(new RangeError(`The recording has ${actions.length} actions and all are used.`));
    },
  };
}
