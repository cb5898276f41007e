/** Checks that a line of a trace has the members everything else reads; what it has beyond them is nobody's business here. */
import { DIRECTIVE_KINDS } from '../world/directives';
import { get, isObject, type Json, type JsonObject } from '../world/json';
import { SLOTS } from '../world/types';

/** A sentence's end about what is wrong: `/results/ar/prediction/text/delta is not a string`. Null when all is well. */
export type Complaint = string | null;
export type Shape = (value: Json | undefined, path: string) => Complaint;

export const text: Shape = (value, path) => (typeof value === 'string' ? null : `${path} is not a string`);
const number: Shape = (value, path) => (typeof value === 'number' ? null : `${path} is not a number`);
export const flag: Shape = (value, path) => (typeof value === 'boolean' ? null : `${path} is not true or false`);
const object: Shape = (value, path) => (isObject(value) ? null : `${path} is not an object`);
const count: Shape = (value, path) =>
  Number.isInteger(value) && (value as number) >= 0 ? null : `${path} is not a whole number from 0`;
const present: Shape = (value, path) => (value === undefined ? `${path} is missing` : null);

export function orNull(shape: Shape): Shape {
  return (value, path) => (value === null ? null : shape(value, path));
}

function optional(shape: Shape): Shape {
  return (value, path) => (value === undefined ? null : shape(value, path));
}

export function list(item: Shape): Shape {
  return (value, path) =>
    Array.isArray(value) ? first(value.map((entry, i) => item(entry, `${path}/${i}`))) : `${path} is not a list`;
}

export function members(shapes: { [key: string]: Shape }): Shape {
  return (value, path) =>
    isObject(value)
      ? first(Object.entries(shapes).map(([key, shape]) => shape(get(value, key), `${path}/${key}`)))
      : `${path} is not an object`;
}

function record(item: Shape): Shape {
  return (value, path) =>
    isObject(value)
      ? first(Object.entries(value).map(([key, entry]) => item(entry, `${path}/${key}`)))
      : `${path} is not an object`;
}

function first(complaints: Complaint[]): Complaint {
  return complaints.find((complaint) => complaint !== null) ?? null;
}

/** Comparisons need a value; `exists` and `absent` have none. */
const check: Shape = (value, path) => {
  const basic = members({ path: text, op: text })(value, path);
  if (basic !== null || !isObject(value)) return basic;
  const op = get(value, 'op') as string;
  if (op === 'exists' || op === 'absent') return null;
  if (!['==', '!=', '<', '<=', '>', '>='].includes(op)) return `${path}/op is "${op}", which is no comparison`;
  return present(get(value, 'value'), `${path}/value`);
};

const twin: Shape = members({ family: text, seed: number, difficulty: number });

const world: Shape = members({
  id: text,
  title: text,
  twin: orNull(twin),
  state: object,
  task: members({ instruction: text, checks: list(check) }),
  tools: list(members({ name: text, description: text, inputSchema: object })),
  rules: list(members({ id: text, text, enabled: flag, params: object })),
});

const action: Shape = (value, path) =>
  isObject(value) && get(value, 'raw') !== undefined
    ? members({ raw: text })(value, path)
    : members({ tool: text, args: object })(value, path);

const directive: Shape = (value, path) => {
  const basic = members({ kind: text })(value, path);
  if (basic !== null || !isObject(value)) return basic;
  switch (get(value, 'kind')) {
    case 'fail':
      return members({ code: text })(value, path);
    case 'partial':
      return members({ n: count })(value, path);
    default:
      return Object.hasOwn(DIRECTIVE_KINDS, get(value, 'kind') as string)
        ? null
        : `${path}/kind is "${get(value, 'kind') as string}", which is no directive`;
  }
};

const observation: Shape = (value, path) => {
  if (!isObject(value)) return `${path} is not an object`;
  if (get(value, 'kind') === 'text') return text(get(value, 'text'), `${path}/text`);
  if (get(value, 'kind') !== 'json') return `${path}/kind is neither "json" nor "text"`;
  const content = get(value, 'value');
  return isObject(content) || Array.isArray(content) ? null : `${path}/value is neither an object nor a list`;
};

const slot: Shape = (value, path) =>
  SLOTS.some((name) => name === value) ? null : `${path} is none of ${SLOTS.join(', ')}`;

const slotCounts: Shape = members({ observation: count, delta: count, status: count });

const prediction: Shape = members({
  transition: members({ observation, delta: object, status: text }),
  text: members({ observation: text, delta: text, status: text }),
  parseErrors: list(members({ slot, message: text })),
  tokens: list(members({ slot, id: count, masked: flag, confidence: number, pass: count })),
  cost: members({
    nfe: number,
    generatedTokens: number,
    forwardTokens: number,
    prefillTokens: number,
    ms: number,
    prefillMs: number,
  }),
  seed: number,
  selection: optional(
    members({
      attempts: count,
      accepted: count,
      chosen: count,
      scores: list(number),
      pins: list(members({ placed: flag, held: flag })),
    }),
  ),
  constraint: optional(
    members({ kind: text, applied: flag, written: slotCounts, fired: slotCounts, open: list(text) }),
  ),
});

const failure: Shape = members({ code: text, message: text, advice: text });

const result: Shape = (value, path) => {
  const complaint = members({
    prediction: orNull(prediction),
    failure: orNull(failure),
    sampler: members({ temperature: number, topP: number, threshold: number, lane: number, step: number }),
    model: orNull(count),
    prompt: orNull(members({ text, tokens: number, foldedTurns: number })),
    checks: list(flag),
    progress: number,
    done: flag,
  })(value, path);
  if (complaint !== null || !isObject(value)) return complaint;
  const both = (get(value, 'prediction') === null) === (get(value, 'failure') === null);
  return both ? `${path} needs either a prediction or a failure` : null;
};

const model: Shape = members({ id: text, kind: text, provider: text, dtype: text, files: object });

const header: Shape = members({
  id: text,
  title: text,
  createdAt: text,
  app: members({ name: text, version: text }),
  codec: number,
  world,
  lanes: list(members({ id: text, simulator: text, key: number })),
  from: optional(members({ run: text, step: orNull(text), index: count, lane: text })),
  models: list(model),
});

const step: Shape = members({
  runId: text,
  id: text,
  parentId: orNull(text),
  index: count,
  action,
  actor: text,
  directives: list(directive),
  seed: number,
  reference: orNull(text),
  results: record(result),
});

/** What is wrong with a header, its format and version aside; null when nothing is. */
export function headerComplaint(value: JsonObject): string | null {
  return header(value, '');
}

/** What is wrong with a step; null when nothing is. */
export function stepComplaint(value: JsonObject): string | null {
  return step(value, '');
}
