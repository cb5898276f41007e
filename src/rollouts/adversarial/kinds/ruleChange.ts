import type { World } from '../../../world/types';
import { answerIn, candidates, otherParams, same, Script, switched, withParams, withRules, type Call } from '../script';
import type { ScenarioKind } from '../types';

export const ruleChange: ScenarioKind = {
  name: 'rule_change',
  title: 'Rule changed in mid-run',
  line: 'A rule is switched or its limit moved while the history shows answers under the old one; the new one holds.',
  build(site) {
    const { world, rng } = site;
    const calls = candidates(site, world, 8);
    for (const rule of rng.shuffle(world.rules)) {
      const moved = otherParams(rng, world, rule)
        .slice(0, 3)
        .flatMap((params) => withParams(world, rule, params) ?? [])
        .map((other) =>
          withRules(
            world,
            world.rules.map((one) => (one === rule ? other : one)),
          ),
        );
      for (const other of rng.shuffle([switched(world, rule, false), ...moved])) {
        const done = between(world, other, calls) ?? between(other, world, calls);
        if (done) return done;
      }
    }
    return null;
  },
};

/** A call under the rules of one world, then calls under those of another which they answer otherwise. */
function between(before: World, after: World, calls: readonly Call[]) {
  const differ = calls.filter((call) => !same(answerIn(before, call), answerIn(after, call)));
  for (const first of differ) {
    const script = new Script(before);
    script.add(first);
    const old = { ...before, state: script.state };
    script.edit({ rules: after.rules });
    const next = differ.find((call) => {
      const [a, b] = [answerIn(old, call), script.peek(call)];
      return !same(a, b) && (a.status === 'ok' || b.status === 'ok');
    });
    if (!next) continue;
    script.add(next, [['outdated_rule', answerIn(old, next)]]);
    // And back again.
    const now = { ...after, state: script.state };
    script.edit({ rules: before.rules });
    const back = differ.find((call) => !same(answerIn(now, call), script.peek(call)));
    if (back) script.add(back, [['outdated_rule', answerIn(now, back)]]);
    const done = script.done();
    if (done) return done;
  }
  return null;
}
