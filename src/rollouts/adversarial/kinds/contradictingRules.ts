import type { Transition } from '../../../world/types';
import { answerIn, candidates, otherParams, Script, withParams, withRules } from '../script';
import type { ScenarioKind } from '../types';

/** Two sentences about one thing that disagree. In the twin all rules hold, so what either of them forbids is refused. */
export const contradictingRules: ScenarioKind = {
  name: 'contradicting_rules',
  title: 'Contradicting rules',
  line: 'A second rule of the same kind sets another limit; what either of them forbids is refused.',
  build(site) {
    const { world, rng } = site;
    const calls = candidates(site).map((call) => [call, answerIn(world, call)] as const);
    for (const rule of rng.shuffle(world.rules)) {
      for (const params of otherParams(rng, world, rule)) {
        const second = withParams(world, rule, params);
        if (!second) continue;
        const pair = rng.shuffle([rule, second]);
        const both = withRules(
          world,
          world.rules.flatMap((one) => (one === rule ? pair : [one])),
        );
        const refused = calls.filter(([call]) => answerIn(both, call).status !== 'ok');
        // Each of the two rules alone would allow one of these calls.
        const script = new Script(both);
        const byFirst = refused.find(([, alone]) => alone.status === 'ok');
        if (byFirst) script.add(byFirst[0], [['ignored_rule', byFirst[1]]]);
        const only = withRules(
          world,
          world.rules.map((one) => (one === rule ? second : one)),
        );
        for (const [call] of refused) {
          const alone: Transition = answerIn(only, call);
          if (call === byFirst?.[0] || alone.status !== 'ok') continue;
          script.add(call, [['ignored_rule', alone]]);
          break;
        }
        const done = script.done();
        if (done) return done;
      }
    }
    return null;
  },
};
