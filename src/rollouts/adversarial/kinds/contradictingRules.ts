import { answerIn, candidates, otherParams, Script, withParams, withRules, type Call } from '../script';
import type { ScenarioKind } from '../types';

/** Two sentences about one thing that disagree. In the twin all rules hold, so what either of them forbids is refused. */
export const contradictingRules: ScenarioKind = {
  name: 'contradicting_rules',
  title: 'Contradicting rules',
  line: 'A second rule of the same kind sets another limit; what either of them forbids is refused.',
  build(site) {
    const { world, rng } = site;
    const calls = candidates(site);
    for (const rule of rng.shuffle(world.rules)) {
      for (const params of otherParams(rng, world, rule)) {
        const second = withParams(world, rule, params);
        if (!second) continue;
        const pair = rng.shuffle([rule, second]);
        const both = withRules(
          world,
          world.rules.flatMap((one) => (one === rule ? pair : [one])),
        );
        const only = withRules(
          world,
          world.rules.map((one) => (one === rule ? second : one)),
        );
        const refused = (call: Call) => answerIn(both, call).status !== 'ok';
        const byOne = calls.filter((call) => refused(call) && answerIn(world, call).status === 'ok');
        const byOther = calls.filter((call) => refused(call) && answerIn(only, call).status === 'ok');
        if (byOne.length === 0 && byOther.length === 0) continue;
        const script = new Script(both);
        for (const [call, alone] of [
          [byOne[0], world],
          [byOther.find((one) => one !== byOne[0]), only],
        ] as const) {
          if (call) script.add(call, [['ignored_rule', answerIn(alone, call)]]);
        }
        return script.done();
      }
    }
    return null;
  },
};
