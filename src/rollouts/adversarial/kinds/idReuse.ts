import { get, isObject, stringify } from '../../../world/json';
import { candidates, idArgs, isLook, Script, turnover, withArg, type Call } from '../script';
import type { ScenarioKind, Site } from '../types';

export const idReuse: ScenarioKind = {
  name: 'id_reuse',
  title: 'Reuse of ids',
  line: 'A record is removed and a new one made: fresh ids come from the counter, and the old record stays gone.',
  build(site) {
    const { world, rng } = site;
    // Ids from a counter are rarer and ask for more than names do.
    const names = rng.chance(0.4);
    const calls = candidates(site, world, 10);
    const looks = calls.filter((call) => isLook(world, call));
    const changes = calls.filter((call) => !isLook(world, call));
    for (const removal of changes) {
      const script = new Script(world);
      const gone = script.peek(removal);
      const [old, ...more] = gone.status === 'ok' ? turnover(world.state, gone.delta, 'removed') : [];
      // What is moved has another name and is still there.
      if (!old || more.length > 0 || turnover(world.state, gone.delta, 'added').length > 0) continue;
      const look = looks.find(
        (call) =>
          idArgs(world, call).some(({ collection, key }) => collection === old.collection && key === old.key) &&
          isOk(script, call),
      );
      const before = look && script.peek(look);
      script.add(removal);
      const made = recreate(site, script, old, changes, names);
      if (!made) continue;
      script.add(made.call, made.bait ? [['reused_id', made.bait]] : []);
      if (look) script.add(look, [['resurrected_record', before]]);
      const done = script.done();
      if (done && done.steps.length > 2) return done;
    }
    return null;
  },
};

function isOk(script: Script, call: Call): boolean {
  return script.peek(call).status === 'ok';
}

/** A call that makes a record where one was removed: with an id from the counter, or under the very name. */
function recreate(
  { world }: Site,
  script: Script,
  old: { collection: string; key: string },
  calls: readonly Call[],
  names: boolean,
) {
  const { state } = script;
  for (const call of calls) {
    const { status, delta } = script.peek(call);
    // A record that only moves here is not made.
    if (status !== 'ok' || turnover(state, delta, 'removed').length > 0) continue;
    const [fresh] = turnover(state, delta, 'added').filter(({ collection }) => collection === old.collection);
    if (!fresh) continue;
    const counter = Object.keys(state).find((name) => get(state, name) === fresh.key);
    if (counter !== undefined) {
      // What a counter that went back to the removed id would give.
      const back = new Script({ ...world, state: { ...state, [counter]: old.key } });
      return { call, bait: back.peek(call) };
    }
    const named = Object.entries(call.args).find(([, value]) => value === fresh.key);
    if (!named || !names) continue;
    const again = withArg(call, named[0], old.key);
    const records = get(world.state, old.collection);
    const was = isObject(records) ? get(records, old.key) : undefined;
    const now = script.peek(again);
    const made = get(now.delta, old.collection);
    // The same record again would be no trap.
    if (now.status !== 'ok' || !isObject(made) || stringify(get(made, old.key) ?? null) === stringify(was ?? null))
      continue;
    return { call: again, bait: undefined };
  }
  return null;
}
