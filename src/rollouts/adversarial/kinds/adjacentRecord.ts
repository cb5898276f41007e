import { get, isObject, stringify } from '../../../world/json';
import type { Rng } from '../../../world/rng';
import { altered, answerIn, candidates, idArgs, isLook, Script, withArg, withRecord } from '../script';
import type { ScenarioKind } from '../types';

export const adjacentRecord: ScenarioKind = {
  name: 'adjacent_record',
  title: 'Adjacent but wrong records',
  line: 'Beside the record stand two whose ids are nearly the same; the answer is about the one that was called for.',
  build(site) {
    const { world, rng } = site;
    const calls = candidates(site);
    for (const call of calls) {
      const [id] = idArgs(world, call);
      if (!id || !isLook(world, call) || answerIn(world, call).status !== 'ok') continue;
      const text = stringify(world.state);
      const near = nearIds(rng, id.key).filter((other) => !text.includes(other));
      const records = get(world.state, id.collection);
      const [left, right] = near;
      if (!isObject(records) || left === undefined || right === undefined) continue;
      const make = () => altered(rng, records, id.key);
      const one = withRecord(world, id.collection, id.key, left, make(), 'before');
      const all = withRecord(one, id.collection, id.key, right, make(), 'behind');
      const script = new Script(all);
      const of = (key: string) => withArg(call, id.arg, key);
      const answers = [left, id.key, right].map((key) => script.peek(of(key)));
      if (answers.some(({ status }) => status !== 'ok')) continue;
      const [a, b, c] = answers;
      script.add(call, [
        ['wrong_record', a],
        ['wrong_record', c],
      ]);
      script.add(of(right), [['wrong_record', b]]);
      // A change of the record in the middle.
      const change = calls.find(
        (other) =>
          !isLook(all, other) &&
          idArgs(all, other).some(({ key }) => key === id.key) &&
          script.peek(other).status === 'ok',
      );
      const arg = change && idArgs(all, change).find(({ key }) => key === id.key)?.arg;
      if (change && arg !== undefined) script.add(change, [['wrong_record', script.peek(withArg(change, arg, left))]]);
      const done = script.done();
      if (done) return done;
    }
    return null;
  },
};

/** Ids that differ from one in a single place: digits swapped, one up, one down; without digits, a letter doubled or cut. */
function nearIds(rng: Rng, id: string): string[] {
  const out = new Set<string>();
  const digits = /\d+/.exec(id);
  if (digits) {
    const [number] = digits;
    const put = (text: string) => out.add(id.slice(0, digits.index) + text + id.slice(digits.index + number.length));
    put([...number].reverse().join(''));
    for (const by of [1, -1, 10, -10]) if (Number(number) + by > 0) put(String(Number(number) + by));
  } else {
    const at = rng.int(0, id.length - 1);
    out.add(id.slice(0, at) + id.charAt(at) + id.slice(at));
    if (id.length > 3) out.add(id.slice(0, at) + id.slice(at + 1));
    out.add(`${id}s`);
  }
  out.delete(id);
  return rng.shuffle([...out]);
}
