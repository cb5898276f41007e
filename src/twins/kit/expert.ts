/** The scripted expert: follows the plan its world was made from, and tries again after an error. */
import type { Agent, AgentView } from '../../world/simulator';
import type { Action } from '../../world/types';
import { callText } from '../../world/codec/text';

/** Times a failing call is repeated before the expert goes on to the next. */
const RETRIES = 3;

/**
 * An agent that does the calls of a plan one after another. A call that did not succeed is repeated up to three times.
 * After the last call it starts over with those that have not succeeded yet, then repeats the last one.
 * @throws RangeError for an empty plan
 */
export function planAgent(plan: readonly Action[]): Agent {
  if (plan.length === 0) throw new RangeError('the plan is empty');
  return {
    id: 'expert',
    act: (view: AgentView) => Promise.resolve(nextOf(plan, view)),
  };
}

function nextOf(plan: readonly Action[], view: AgentView): Action {
  const done = new Set<number>();
  let at = 0;
  let tries = 0;
  for (const step of view.steps) {
    const wanted = plan[at];
    if (!wanted || callText(step.action) !== callText(wanted)) continue;
    if (step.transition.status === 'ok') done.add(at);
    else if (++tries <= RETRIES) continue;
    at++;
    tries = 0;
    if (at >= plan.length) at = plan.findIndex((_, i) => !done.has(i));
    if (at < 0) break;
    while (done.has(at) && at < plan.length) at++;
  }
  return plan[at] ?? (plan.at(-1) as Action);
}
