import { get, isObject } from '../../../world/json';
import { applyDelta } from '../../../world/mergePatch';
import { members } from '../evidence';
import { answerIn, candidates, idArgs, isLook, Script, type Call } from '../script';
import type { ScenarioKind, Site } from '../types';

export const missingInformation: ScenarioKind = {
  name: 'missing_information',
  title: 'Missing information',
  line: 'A call leaves out what it needs, or a record lacks a member that others have; nobody makes it up.',
  build(site) {
    const { world, rng } = site;
    for (const call of rng.chance(0.5) ? candidates(site) : []) {
      const built = gap(site, call);
      if (built) return built;
    }
    for (const call of candidates(site)) {
      const script = new Script(world);
      const real = script.peek(call);
      const names = Object.keys(call.args);
      if (real.status !== 'ok' || names.length === 0) continue;
      const name = rng.pick(names);
      const rest = Object.fromEntries(Object.entries(call.args).filter(([arg]) => arg !== name));
      const short: Call = { tool: call.tool, args: rest };
      if (script.peek(short).status !== 'invalid_args') continue;
      // A look done right stands before it; a change would not be possible twice.
      if (isLook(world, call)) script.add(call);
      script.add(short, [['filled_in', real]]);
      const done = script.done();
      if (done) return done;
    }
    return null;
  },
};

/** A record without one of the members that a look-up shows. */
function gap({ world, rng }: Site, call: Call) {
  const [id] = isLook(world, call) ? idArgs(world, call) : [];
  const real = answerIn(world, call);
  if (!id || real.status !== 'ok' || real.observation.kind !== 'json') return null;
  const records = get(world.state, id.collection);
  const item = isObject(records) ? get(records, id.key) : undefined;
  const shown = members(real.observation.value);
  const fields = rng.shuffle(Object.keys(isObject(item) ? item : {}).filter((name) => shown.has(name)));
  for (const field of fields) {
    const state = applyDelta(world.state, { [id.collection]: { [id.key]: { [field]: null } } });
    const script = new Script({ ...world, state });
    const truth = script.peek(call);
    if (truth.status !== 'ok' || truth.observation.kind !== 'json' || members(truth.observation.value).has(field))
      continue;
    script.add(call, [['filled_in', real]]);
    const last = script.steps.at(-1);
    last?.traps.push({ failure: 'filled_in', absent: [field] });
    return script.done();
  }
  return null;
}
