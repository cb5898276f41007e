import { get, type Json, type JsonObject } from '../../../world/json';
import type { Rng } from '../../../world/rng';
import { argSchemas, candidates, Script, toolOf, withArg } from '../script';
import type { ScenarioKind } from '../types';

export const overlongValue: ScenarioKind = {
  name: 'overlong_value',
  title: 'Overlong values',
  line: 'An argument is far too long or far too large; the call is refused and nothing is cut to fit.',
  build(site) {
    const { world, rng } = site;
    for (const call of candidates(site)) {
      const script = new Script(world);
      const real = script.peek(call);
      if (real.status !== 'ok') continue;
      const tooMuch = rng
        .shuffle(argSchemas(toolOf(world, call)))
        .flatMap(([arg, schema]) => {
          const value = overlong(rng, schema, get(call.args, arg));
          return value === null ? [] : [withArg(call, arg, value)];
        })
        .find((wrong) => script.peek(wrong).status === 'invalid_args');
      if (!tooMuch) continue;
      script.add(tooMuch, [['accepted_bad_call', real]]);
      script.add(call);
      return script.done();
    }
    return null;
  },
};

function overlong(rng: Rng, schema: JsonObject, value: Json | undefined): Json | null {
  if (typeof value === 'number') return Number(`${value || 1}${rng.int(10_000, 99_999)}`);
  if (typeof value !== 'string' || value === '' || get(schema, 'enum') !== undefined) return null;
  const pieces = Math.ceil(rng.int(60, 100) / (value.length + 1));
  return Array.from({ length: pieces }, () => value).join(rng.pick([' ', '-', '']));
}
