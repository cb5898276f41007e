/** What a procedural world is made of, and how one is sampled. Everything here is shown in its tools, rules or state. */
import { isObject, type Json, type JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Params, Seeded } from '../kit/types';
import { sentencesOf, type Wording } from './sentences';
import { draw, verb, type Lexicon, type OpName } from './words';

/** One tool: what it does, what it is called, and what it says about itself. */
export interface OpSpec {
  op: OpName;
  name: string;
  description: string;
  /** Fields that an answer shows, in order, after the id. */
  shows: string[];
  /** For `set`: the value it sets. */
  value?: string;
}

export interface Spec {
  plural: string;
  noun: string;
  prefix: string;
  /** Names of the three fields: an enumeration, a whole number, a word. */
  state: string;
  amount: string;
  label: string;
  values: string[];
  ops: OpSpec[];
}

/** A template: which tools a world has. */
export type Template = readonly OpName[];

export const COMMON_TEMPLATES: readonly Template[] = [
  ['get', 'list', 'change', 'create', 'remove'],
  ['get', 'add', 'take', 'top'],
  ['find', 'count', 'set', 'set', 'get'],
  ['get', 'add', 'create', 'count'],
  ['find', 'change', 'remove', 'get'],
  ['list', 'set', 'take', 'get'],
];

export const RESERVED_TEMPLATES: readonly Template[] = [
  ['find', 'take', 'set', 'top'],
  ['count', 'add', 'change', 'list'],
  ['get', 'take', 'create', 'remove'],
];

/** More mixtures, for `wild`; none has the tools of a reserved one. */
export const WILD_TEMPLATES: readonly Template[] = [
  ...COMMON_TEMPLATES,
  ['get', 'take', 'set', 'count'],
  ['top', 'remove', 'find', 'add'],
  ['create', 'list', 'take', 'find'],
  ['change', 'top', 'count', 'create'],
  ['set', 'set', 'remove', 'list'],
  ['add', 'take', 'change', 'top'],
  ['get', 'create', 'remove', 'top'],
  ['get', 'take', 'remove', 'set'],
  ['find', 'take', 'add', 'list'],
];

/** Samples a spec and a state for it. */
export function sampleWorld(
  rng: Rng,
  difficulty: number,
  lexicon: Lexicon,
  templates: readonly Template[],
  wording: Wording,
): Seeded {
  const spec = sampleSpec(rng.fork('spec'), lexicon, rng.pick(templates), wording);
  const seeded = {
    state: sampleState(rng.fork('state'), spec, difficulty, lexicon),
    spec: spec as unknown as JsonObject,
  };
  const title = `${spec.plural[0]?.toUpperCase() ?? ''}${spec.plural.slice(1)}`;
  return { title, ...seeded, rules: sampleRules(rng.fork('rules'), spec, lexicon.records(difficulty)) };
}

function sampleSpec(rng: Rng, lexicon: Lexicon, template: Template, wording: Wording): Spec {
  const one = (list: readonly string[], coined?: number) => draw(rng, lexicon, list, 1, coined)[0] as string;
  const noun = one(lexicon.nouns, 0.5);
  const spec: Spec = {
    noun,
    plural: `${noun}s`,
    prefix: lexicon.prefix(rng),
    state: one(lexicon.fields.state),
    amount: one(lexicon.fields.amount),
    label: one(lexicon.fields.label),
    values: draw(rng, lexicon, lexicon.states, rng.int(2, 3)),
    ops: [],
  };
  const style = rng.int(0, 2);
  const targets = rng.shuffle(spec.values);
  for (const op of rng.shuffle(template)) {
    const value = op === 'set' ? targets.pop() : undefined;
    if (op === 'set' && value === undefined) continue;
    const plain = verb(rng, lexicon, op);
    const called = value === undefined ? plain : `${plain}_${value}`;
    const sentences = sentencesOf(wording, op);
    const sentence = sentences.length > 1 ? rng.pick(sentences) : sentences[0];
    spec.ops.push({
      op,
      name: style === 0 ? called : style === 1 ? `${called}_${noun}` : `${noun}_${called}`,
      description: sentence?.(spec, value ?? '') ?? '',
      shows: shows(rng, op, spec),
      ...(value === undefined ? {} : { value }),
    });
  }
  return spec;
}

function shows(rng: Rng, op: OpName, spec: Spec): string[] {
  const all = [spec.state, spec.amount, spec.label];
  switch (op) {
    case 'get':
      return rng.sample(all, rng.int(2, 3));
    case 'list':
      return [rng.pick(all)];
    case 'set':
    case 'change':
      return rng.chance(0.7) ? [spec.state] : [];
    case 'add':
    case 'take':
    case 'top':
      return rng.chance(0.7) ? [spec.amount] : [];
    case 'create':
    case 'remove':
    case 'find':
    case 'count':
      return [];
    default:
      return op satisfies never;
  }
}

function sampleState(rng: Rng, spec: Spec, difficulty: number, lexicon: Lexicon): Seeded['state'] {
  const digits = rng.int(...lexicon.digits);
  const least = 10 ** (digits - 1);
  const most = 10 ** digits - 5;
  const size = lexicon.records(difficulty);
  const numbers = rng.sample(
    Array.from({ length: most - least }, (_, i) => least + i),
    size,
  );
  const labels = draw(rng, lexicon, lexicon.labels, size);
  const items: JsonObject = {};
  numbers.forEach((number, i) => {
    items[`${spec.prefix}${number}`] = {
      [spec.state]: rng.pick(spec.values),
      [spec.amount]: rng.int(1, most),
      [spec.label]: labels[i] ?? 'x',
    };
  });
  const creates = spec.ops.some(({ op }) => op === 'create');
  return { [spec.plural]: items, ...(creates ? { next: `${spec.prefix}${Math.max(...numbers) + 1}` } : {}) };
}

/** One or two rules that can bite in this world; a world that creates records always has the limit. */
function sampleRules(rng: Rng, spec: Spec, size: number): { id: string; params: Params }[] {
  const options = spec.ops.flatMap((op): { id: string; params: Params }[] => {
    switch (op.op) {
      case 'set':
      case 'remove':
      case 'add':
      case 'take': {
        const others = spec.values.filter((value) => value !== op.value);
        return [{ id: 'needs', params: { tool: op.name, field: spec.state, value: rng.pick(others) } }];
      }
      case 'change':
        return [{ id: 'locked', params: { field: spec.state, value: rng.pick(spec.values) } }];
      default:
        return [];
    }
  });
  const chosen = rng.sample(options, 1);
  if (spec.ops.some(({ op }) => op === 'add')) {
    chosen.push({ id: 'most', params: { field: spec.amount, max: rng.int(4, 12) * 10 } });
  }
  if (spec.ops.some(({ op }) => op === 'create')) {
    chosen.push({ id: 'limit', params: { plural: spec.plural, max: size + rng.int(1, 2) } });
  }
  return chosen;
}

/**
 * A spec that came with a world, checked as far as executing it needs.
 * @throws Error when it is not one
 */
export function readSpec(value: Json | undefined): Spec {
  const spec = value as unknown as Spec;
  const texts = isObject(value) && ['plural', 'noun', 'prefix', 'state', 'amount', 'label'];
  if (!texts || texts.some((key) => typeof value[key] !== 'string')) throw new Error('not a universe spec');
  if (!Array.isArray(spec.values) || !Array.isArray(spec.ops)) throw new Error('not a universe spec');
  if (!spec.ops.every((op) => isObject(op) && typeof op.name === 'string' && Array.isArray(op.shows))) {
    throw new Error('not a universe spec');
  }
  return spec;
}
