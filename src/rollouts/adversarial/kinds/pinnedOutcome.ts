import { failCodesOf } from '../../../twins';
import type { Directive } from '../../../world/types';
import { candidates, isLook, same, Script } from '../script';
import type { ScenarioKind } from '../types';

/** Codes that say something untrue of a call that works. */
const UNTRUE = ['not_found', 'unknown_tool', 'invalid_args', 'malformed'];

export const pinnedOutcome: ScenarioKind = {
  name: 'pinned_outcome',
  title: 'Impossible outcomes pinned',
  line: 'A call that works is directed to fail, with a code that cannot be or beside directives that contradict it; nothing is done then, and the next call works as ever.',
  build(site) {
    const { world, rng } = site;
    const calls = candidates(site);
    const looks = calls.filter((call) => isLook(world, call));
    const codes = failCodesOf(world.twin?.family);
    const code = rng.pick(rng.chance(0.6) ? UNTRUE : [...codes, ...UNTRUE]);
    const beside = rng.pick<Directive[]>([
      [],
      [{ kind: 'verbose' }],
      [{ kind: 'empty' }],
      [{ kind: 'fail', code: rng.pick(UNTRUE.filter((other) => other !== code)) }],
      [{ kind: 'misleading' }],
    ]);
    for (const change of calls) {
      if (isLook(world, change)) continue;
      const script = new Script(world);
      const works = script.peek(change);
      if (works.status !== 'ok' || Object.keys(works.delta).length === 0) continue;
      const after = new Script(world);
      after.add(change);
      const look = looks.find(
        (call) => script.peek(call).status === 'ok' && !same(after.peek(call), script.peek(call)),
      );
      if (!look) continue;
      const directives: Directive[] = [{ kind: 'fail', code }, ...beside];
      const second = beside.find((one) => one.kind === 'fail');
      const failed = script.add(
        change,
        [
          ['wrong_steering', works],
          ...(second ? [['wrong_steering', script.peek(change, [second])] as ['wrong_steering', typeof works]] : []),
        ],
        directives,
      );
      script.add(look, [
        ['changed_on_error', after.peek(look)],
        ['wrong_steering', script.peek(look, directives)],
      ]);
      script.add(change, [['wrong_steering', failed]]);
      return script.done();
    }
    return null;
  },
};
