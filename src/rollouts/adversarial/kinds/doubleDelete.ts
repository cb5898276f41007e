import { candidates, idArgs, isLook, Script, turnover } from '../script';
import type { ScenarioKind } from '../types';

export const doubleDelete: ScenarioKind = {
  name: 'double_delete',
  title: 'Double delete',
  line: 'A record is removed, removed again and looked for: it is gone after the first time.',
  build(site) {
    const { world } = site;
    const calls = candidates(site, world, 10);
    for (const removal of calls.filter((call) => !isLook(world, call))) {
      const script = new Script(world);
      const first = script.peek(removal);
      const [gone] = first.status === 'ok' ? turnover(world.state, first.delta, 'removed') : [];
      // What is moved has another name and is still there.
      if (!gone || turnover(world.state, first.delta, 'added').length > 0) continue;
      const look = calls.find(
        (call) =>
          isLook(world, call) &&
          idArgs(world, call).some(({ collection, key }) => collection === gone.collection && key === gone.key) &&
          script.peek(call).status === 'ok',
      );
      const shown = look && script.peek(look);
      if (look) script.add(look);
      script.add(removal);
      if (script.peek(removal).status === 'ok') continue;
      script.add(removal, [['resurrected_record', first]]);
      if (look) script.add(look, [['resurrected_record', shown]]);
      return script.done();
    }
    return null;
  },
};
