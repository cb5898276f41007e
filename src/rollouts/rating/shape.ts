/** Checks that a line of a votes file has the members everything else reads; members beyond them are kept. */
import type { Json, JsonObject } from '../../world/json';
import { list, members, orNull, text, flag, type Complaint, type Shape } from '../shape';
import { ITEMS, SCALES } from './types';

const one =
  (...values: readonly string[]): Shape =>
  (value, path) =>
    values.some((known) => known === value) ? null : `${path} is none of ${values.join(', ')}`;

const seed: Shape = (value, path) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? null : `${path} is not a whole number from 0`;

const score: Shape = (value, path) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 5
    ? null
    : `${path} is not a whole number from 1 to 5`;

/** ISO 8601 in UTC to the millisecond, as `toISOString` writes it: times are compared as texts. */
const time: Shape = (value, path) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value))
    ? null
    : `${path} is not a time like 2026-01-31T12:00:00.000Z`;

const filled: Shape = (value, path) =>
  typeof value === 'string' && value.trim() !== '' ? null : `${path} is not a text with something in it`;

function some(item: Shape): Shape {
  return (value, path) => (Array.isArray(value) && value.length === 0 ? `${path} is empty` : list(item)(value, path));
}

const turn = members({
  directives: text,
  call: text,
  text: members({ observation: text, delta: text, status: text }),
});

const item = members({
  by: members({ name: filled, model: orNull(text) }),
  run: text,
  step: text,
  turns: some(turn),
});

const scores = members(Object.fromEntries(SCALES.map((scale) => [scale, score])));
const entry = { id: filled, rater: filled, createdAt: time };

const SHAPES: { readonly [type: string]: Shape } = {
  rater: members({ id: filled, name: filled }),
  pair: members({ id: filled, prompt: text, a: item, b: item, truth: orNull(some(turn)) }),
  vote: members({
    ...entry,
    pair: filled,
    left: one(...ITEMS),
    preference: one(...ITEMS, 'tie'),
    scores: members(Object.fromEntries(ITEMS.map((key) => [key, scores]))),
    truthSeen: flag,
  }),
  skip: members({ ...entry, pair: filled }),
  undo: members({ ...entry, of: filled }),
  reveal: members({ ...entry, of: filled }),
};

const set = members({
  set: members({
    id: filled,
    title: filled,
    createdAt: time,
    kind: one('answer', 'rollout'),
    seed,
    truth: one('none', 'side', 'help'),
  }),
});

/** What is wrong with a header, its format and version aside; null when nothing is. */
export function setComplaint(value: JsonObject): Complaint {
  return set(value, '');
}

/** What is wrong with a record of a type; null when nothing is. */
export function recordComplaint(type: string, value: Json): Complaint {
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined;
  return shape ? shape(value, '') : `there is no type "${type}"`;
}
