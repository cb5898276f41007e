import { get, isObject } from '../../../world/json';
import type { Rng } from '../../../world/rng';
import { altered, answerIn, candidates, idArgs, isLook, Script, withArg, withRecord } from '../script';
import type { ScenarioKind } from '../types';

/** Letters that look the same in Latin and Cyrillic. */
const LATIN = 'aeopcxyijsABEHKMTOPCXSIJ';
const CYRILLIC = 'аеорсхуіјѕАВЕНКМТОРСХЅІЈ';

export const lookAlike: ScenarioKind = {
  name: 'look_alike',
  title: 'Unicode look-alikes',
  line: 'An id is spelt with a letter, digit or invisible sign that looks the same; it names another record or none.',
  build(site) {
    const { world, rng } = site;
    for (const call of candidates(site)) {
      const [id] = idArgs(world, call);
      const real = answerIn(world, call);
      if (!id || real.status !== 'ok') continue;
      const twin = disguised(rng, id.key);
      const wrong = withArg(call, id.arg, twin);
      if (rng.chance(0.5)) {
        const script = new Script(world);
        const truth = script.peek(wrong);
        if (truth.status === 'ok' || truth.status === 'invalid_args') continue;
        script.add(wrong, [['wrong_record', real]]);
        script.add(call);
        const done = script.done();
        if (done) return done;
        continue;
      }
      // Both exist, with different values.
      const records = get(world.state, id.collection);
      if (!isObject(records)) continue;
      const both = withRecord(world, id.collection, id.key, twin, altered(rng, records, id.key), rng.pick(SIDES));
      const script = new Script(both);
      if (script.peek(wrong).status !== 'ok') continue;
      // After a change there is no telling whose answer the other would be.
      if (isLook(world, call)) script.add(call, [['wrong_record', script.peek(wrong)]]);
      script.add(wrong, [['wrong_record', script.peek(call)]]);
      const done = script.done();
      if (done && done.steps.every(({ traps }) => traps.length > 0)) return done;
    }
    return null;
  },
};

const SIDES = ['before', 'behind'] as const;

/** The id with one sign exchanged for one that looks the same, or with an invisible one in it. */
export function disguised(rng: Rng, id: string): string {
  const places = [...id].flatMap((char, i) => {
    const at = LATIN.indexOf(char);
    if (at >= 0) return [[i, CYRILLIC.charAt(at)] as const];
    return /\d/.test(char) ? [[i, String.fromCodePoint(0xff10 + Number(char))] as const] : [];
  });
  if (places.length === 0 || rng.chance(0.2)) {
    const at = rng.int(1, Math.max(id.length - 1, 1));
    return `${id.slice(0, at)}\u200b${id.slice(at)}`;
  }
  const [at, char] = rng.pick(places);
  return `${id.slice(0, at)}${char}${id.slice(at + 1)}`;
}

/** The id that a disguised one looks like. */
export function undisguised(id: string): string {
  return [...id]
    .map((char) => {
      const at = CYRILLIC.indexOf(char);
      return at >= 0 ? LATIN.charAt(at) : char === '\u200b' ? '' : char.normalize('NFKC');
    })
    .join('');
}
