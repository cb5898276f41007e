import type { JsonObject } from '../../../world/json';
import { answerIn, candidates, collections, idArgs, isLook, Script } from '../script';
import type { ScenarioKind } from '../types';

export const emptyWorld: ScenarioKind = {
  name: 'empty_world',
  title: 'Empty world',
  line: 'All collections are empty; whatever is asked for is not there, and nothing is made up to fill it.',
  build(site) {
    const { world } = site;
    const empty: JsonObject = {};
    const held = collections(world.state);
    for (const [name, value] of Object.entries(world.state)) {
      empty[name] = held.some(([collection]) => collection === name) ? {} : value;
    }
    if (held.length === 0) return null;
    const bare = { ...world, state: empty };
    const script = new Script(bare);
    const calls = candidates(site).filter((call) => {
      const [full, none] = [answerIn(world, call), answerIn(bare, call)];
      return (
        full.status === 'ok' &&
        // What shows and changes nothing in the full world says nothing of the empty one.
        !(isBare(full.observation) && Object.keys(full.delta).length === 0) &&
        (none.status !== 'ok' || none.observation.kind !== full.observation.kind || isBare(none.observation))
      );
    });
    const lists = calls.filter((call) => isLook(world, call) && idArgs(world, call).length === 0);
    const looks = calls.filter((call) => isLook(world, call) && idArgs(world, call).length > 0);
    const changes = calls.filter((call) => !isLook(world, call));
    for (const call of [...lists.slice(0, 1), ...looks.slice(0, 2), ...changes.slice(0, 1)]) {
      script.add(call, [['invented_id', answerIn(world, call)]]);
    }
    return script.steps.length > 1 ? script.done() : null;
  },
};

/** An empty list or text, or a record of nothing. */
function isBare(observation: ReturnType<typeof answerIn>['observation']): boolean {
  if (observation.kind === 'text') return observation.text === '';
  return Object.keys(observation.value).length === 0;
}
