import { estimateTokens, observationText, worldTokens } from '../../../world/codec';
import { get, isObject, type JsonObject } from '../../../world/json';
import type { Rng } from '../../../world/rng';
import type { Transition, World } from '../../../world/types';
import { altered, answerIn, candidates, isLook, Script, withRecord, type Call } from '../script';
import type { ScenarioKind } from '../types';
import { ANSWER_TOKENS, BLOCK_TOKENS } from '../limits';

/** Estimated tokens from which on an answer is a long one. */
const LONG = 64;

export const lengthLimit: ScenarioKind = {
  name: 'length_limit',
  title: 'Length limits',
  line: 'The true answer is nearly as long as answers can be, and is given to its end.',
  build(site) {
    const { world, rng } = site;
    for (const call of candidates(site, world, 3)) {
      if (!isLook(world, call) || answerIn(world, call).status !== 'ok') continue;
      const grown = grow(rng, world, call);
      if (!grown) continue;
      const script = new Script(grown);
      script.add(call, [['cut_short', half(script.peek(call))]]);
      return script.done();
    }
    return null;
  },
};

const tokens = ({ observation }: Transition) => estimateTokens(observationText(observation));

/** The world with more records like those there are, until the answer to a call is long; null where it stays short. */
function grow(rng: Rng, world: World, call: Call): World | null {
  for (const [collection, records] of Object.entries(world.state)) {
    if (!isObject(records) || !Object.values(records).every(isObject)) continue;
    let grown = world;
    let size = tokens(answerIn(world, call));
    for (const [i, key] of Object.keys(records).entries()) {
      for (let copy = 0; copy < 4 && size < LONG; copy++) {
        const items = get(grown.state, collection) as JsonObject;
        const item = similar(rng, items, key);
        const next = withRecord(grown, collection, key, freshKey(rng, items, key, i), item);
        const answer = answerIn(next, call);
        if (answer.status !== 'ok' || tokens(answer) <= size) break;
        if (tokens(answer) > ANSWER_TOKENS.observation || worldTokens(next) > BLOCK_TOKENS) break;
        [grown, size] = [next, tokens(answer)];
      }
    }
    if (size >= LONG) return grown;
  }
  return null;
}

/** A copy that keeps what refers to other records (so that it is found where the original is). */
function similar(rng: Rng, items: JsonObject, key: string): JsonObject {
  const own = get(items, key);
  const fresh = altered(rng, items, key);
  return Object.fromEntries(
    Object.entries(isObject(own) ? own : {}).map(([name, value]) => [
      name,
      typeof value === 'number' ? (fresh[name] ?? value) : value,
    ]),
  );
}

function freshKey(rng: Rng, items: JsonObject, key: string, salt: number): string {
  for (let i = 0; ; i++) {
    const digits = String(rng.int(10, 99) + i);
    const other = /\d+/.test(key) ? key.replace(/\d+/, digits) : key.replace(/(\.[a-z]+)?$/, `${digits}$1`);
    if (!Object.hasOwn(items, other)) return other;
    if (i > 99) return `${key}x${salt}`;
  }
}

/** The first half of an answer. */
function half(answer: Transition): Transition {
  const { observation } = answer;
  if (observation.kind === 'text') {
    const lines = observation.text.split('\n');
    return { ...answer, observation: { kind: 'text', text: lines.slice(0, Math.ceil(lines.length / 2)).join('\n') } };
  }
  const { value } = observation;
  const cut = Array.isArray(value)
    ? value.slice(0, Math.ceil(value.length / 2))
    : Object.fromEntries(Object.entries(value).slice(0, Math.ceil(Object.keys(value).length / 2)));
  return { ...answer, observation: { kind: 'json', value: cut } };
}
