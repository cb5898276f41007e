import { candidates, isLook, same, Script } from '../script';
import type { ScenarioKind } from '../types';

export const staleRead: ScenarioKind = {
  name: 'stale_read',
  title: 'Stale reads',
  line: 'The same look-up before and after changes: it shows what is, not what was shown before.',
  build(site) {
    const { world } = site;
    const calls = candidates(site);
    const looks = calls.filter((call) => isLook(world, call));
    for (const change of calls) {
      if (isLook(world, change)) continue;
      const script = new Script(world);
      const before = looks.map((look) => script.peek(look));
      const { status, delta } = script.peek(change);
      if (status !== 'ok' || Object.keys(delta).length === 0) continue;
      const after = new Script(world);
      after.add(change);
      const at = looks.findIndex((look, i) => before[i]?.status === 'ok' && !same(after.peek(look), before[i]));
      const look = looks[at];
      if (!look) continue;
      const old = script.add(look);
      script.add(change);
      script.add(look, [['stale_answer', old]]);
      // A second change on top, where there is one that shows.
      const second = script.peek(look);
      const more = calls.find((call) => {
        if (isLook(world, call) || call === change || script.peek(call).status !== 'ok') return false;
        const ahead = new Script({ ...world, state: script.state });
        ahead.add(call);
        return !same(ahead.peek(look), second);
      });
      if (more) {
        script.add(more);
        script.add(look, [
          ['stale_answer', second],
          ['stale_answer', old],
        ]);
      }
      return script.done();
    }
    return null;
  },
};
