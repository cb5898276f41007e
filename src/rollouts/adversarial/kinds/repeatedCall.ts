import { candidates, isLook, same, Script } from '../script';
import type { ScenarioKind } from '../types';

export const repeatedCall: ScenarioKind = {
  name: 'repeated_call',
  title: 'Repeated calls',
  line: 'One call again and again: a look-up answers the same each time, a change answers from what the last one left.',
  build(site) {
    const { world } = site;
    const calls = candidates(site);
    for (const change of calls) {
      if (isLook(world, change)) continue;
      const script = new Script(world);
      const first = script.peek(change);
      if (first.status !== 'ok') continue;
      const look = calls.find((call) => isLook(world, call) && script.peek(call).status === 'ok');
      if (!look) return null;
      script.add(look);
      script.add(look);
      script.add(change);
      const second = script.peek(change);
      if (same(first, second)) continue;
      script.add(change, [['stale_answer', first]]);
      if (second.status === 'ok') script.add(change, [['stale_answer', second]]);
      const done = script.done();
      if (done) return done;
    }
    return null;
  },
};
