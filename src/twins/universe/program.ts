/** The tools and rules of a procedural world: one executable meaning for each kind of tool. */
import type { JsonObject } from '../../world/json';
import { errorAnswer, listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { freshId } from '../kit/ids';
import { idsOf, shape } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Program, type RuleDef, type ToolDef } from '../kit/types';
import type { OpSpec, Spec } from './spec';

export const RULES: readonly RuleDef[] = [
  {
    id: 'needs',
    code: 'not_allowed',
    text: ({ tool, field, value }) => `${String(tool)} needs ${String(field)} ${String(value)}`,
    violated: ({ tool, field, value }, facts) => facts.tool === tool && facts[String(field)] !== value,
  },
  {
    id: 'locked',
    code: 'not_allowed',
    text: ({ field, value }) => `${String(field)} ${String(value)} is final`,
    violated: ({ field, value }, facts) => facts[String(field)] === value,
  },
  {
    id: 'most',
    code: 'too_high',
    text: ({ field, max }) => `${String(field)} is at most ${String(max)}`,
    violated: ({ max }, facts) => Number(facts.after) > Number(max),
  },
  {
    id: 'limit',
    code: 'full',
    text: ({ plural, max }) => `at most ${String(max)} ${String(plural)}`,
    violated: ({ max }, facts) => Number(facts.size) >= Number(max),
  },
];

/** The program of a spec. */
export function universeProgram(spec: Spec): Program {
  return { tools: spec.ops.map((op) => toolOf(spec, op)), rules: RULES };
}

function toolOf(spec: Spec, op: OpSpec): ToolDef {
  const id: ArgSpec = { type: 'string', from: spec.plural };
  const state: ArgSpec = { type: 'string', enum: spec.values };
  const amount: ArgSpec = { type: 'integer', min: 1, max: 99 };
  const common = { name: op.name, description: op.description, of: spec.plural };
  const types: { [field: string]: string } = { [spec.state]: spec.values.join('|'), [spec.amount]: 'int' };
  const members = op.shows.map((field) => (types[field] ? `${field}:${types[field]}` : field));
  const shown = shape(['id@' + spec.plural, ...members].join(' '));
  switch (op.op) {
    case 'get':
      return {
        ...common,
        input: { id },
        output: shown,
        readOnly: true,
        apply: (call) => withItem(spec, call, (item) => show(call, item, op)),
      };
    case 'list':
      return {
        ...common,
        input: {},
        output: { type: 'array', items: shown },
        readOnly: true,
        apply: (call) => listAll(spec, call, op),
      };
    case 'find':
      return {
        ...common,
        input: { [spec.state]: state },
        output: idsOf(spec.plural),
        readOnly: true,
        apply: (call) => listAnswer(matching(spec, call)),
      };
    case 'count':
      return {
        ...common,
        input: { [spec.state]: state },
        output: shape('count:int'),
        readOnly: true,
        apply: (call) => recordAnswer({ count: matching(spec, call).length }),
      };
    case 'top':
      return { ...common, input: {}, output: shown, readOnly: true, apply: (call) => top(spec, call, op) };
    case 'set':
      return {
        ...common,
        input: { id },
        output: shown,
        readOnly: false,
        apply: (call) => setState(spec, call, op, op.value ?? ''),
      };
    case 'change':
      return {
        ...common,
        input: { id, [spec.state]: state },
        output: shown,
        readOnly: false,
        apply: (call) => setState(spec, call, op, String(call.args[spec.state])),
      };
    case 'add':
      return {
        ...common,
        input: { id, amount },
        output: shown,
        readOnly: false,
        apply: (call) => shift(spec, call, op, 1),
      };
    case 'take':
      return {
        ...common,
        input: { id, amount },
        output: shown,
        readOnly: false,
        apply: (call) => shift(spec, call, op, -1),
      };
    case 'create':
      return {
        ...common,
        input: { [spec.state]: state, [spec.amount]: amount, [spec.label]: { type: 'string', maxLength: 12 } },
        output: shown,
        readOnly: false,
        apply: (call) => create(spec, call),
      };
    case 'remove':
      return {
        ...common,
        input: { id },
        output: shown,
        readOnly: false,
        destructive: true,
        apply: (call) => remove(spec, call, op),
      };
    default:
      return op.op satisfies never;
  }
}

function withItem(spec: Spec, call: Call, then: (item: JsonObject) => Answer): Answer {
  const item = record(call.state, spec.plural, call.args.id);
  return item ? then(item) : notFound(call.args.id);
}

function view(id: string, item: JsonObject, fields: readonly string[]): JsonObject {
  return { id, ...Object.fromEntries(fields.map((field) => [field, item[field] ?? ''])) };
}

function show(call: Call, item: JsonObject, op: OpSpec): Answer {
  return recordAnswer(view(String(call.args.id), item, op.shows));
}

function listAll(spec: Spec, call: Call, op: OpSpec): Answer {
  return listAnswer(Object.entries(records(call.state, spec.plural)).map(([id, item]) => view(id, item, op.shows)));
}

function matching(spec: Spec, call: Call): string[] {
  return Object.entries(records(call.state, spec.plural))
    .filter(([, item]) => item[spec.state] === call.args[spec.state])
    .map(([id]) => id);
}

/** The record with the largest amount; the first of equals. */
function top(spec: Spec, call: Call, op: OpSpec): Answer {
  const [first, ...rest] = Object.entries(records(call.state, spec.plural));
  if (!first) return errorAnswer('not_found', `no ${spec.plural}`);
  const [id, item] = rest.reduce((a, b) => (Number(b[1][spec.amount]) > Number(a[1][spec.amount]) ? b : a), first);
  return recordAnswer(view(id, item, op.shows));
}

function changed(spec: Spec, call: Call, op: OpSpec, item: JsonObject, fields: JsonObject): Answer {
  const id = String(call.args.id);
  return recordAnswer(view(id, { ...item, ...fields }, op.shows), { [spec.plural]: { [id]: fields } });
}

function setState(spec: Spec, call: Call, op: OpSpec, value: string): Answer {
  return withItem(spec, call, (item) => {
    const facts = { ...item, tool: op.name };
    return call.forbidden(facts, 'needs', 'locked') ?? changed(spec, call, op, item, { [spec.state]: value });
  });
}

function shift(spec: Spec, call: Call, op: OpSpec, sign: 1 | -1): Answer {
  return withItem(spec, call, (item) => {
    const after = Number(item[spec.amount]) + sign * Number(call.args.amount);
    if (after < 0) return errorAnswer('too_low', `not enough ${spec.amount}`);
    if (after > 9999) return errorAnswer('too_high', `too much ${spec.amount}`);
    const refused = call.forbidden({ ...item, tool: op.name, after }, 'needs', ...(sign > 0 ? ['most'] : []));
    return refused ?? changed(spec, call, op, item, { [spec.amount]: after });
  });
}

function create(spec: Spec, call: Call): Answer {
  const { next } = call.state;
  if (next === undefined || typeof next === 'object') return errorAnswer('invalid_state', 'invalid state');
  const id = String(next);
  const size = Object.keys(records(call.state, spec.plural)).length;
  const refused = call.forbidden({ size }, 'limit');
  if (refused) return refused;
  const fields = Object.fromEntries([spec.state, spec.amount, spec.label].map((name) => [name, call.args[name] ?? '']));
  return recordAnswer({ id }, { [spec.plural]: { [id]: fields }, next: freshId(id) });
}

function remove(spec: Spec, call: Call, op: OpSpec): Answer {
  return withItem(spec, call, (item) => {
    const id = String(call.args.id);
    const delta = { [spec.plural]: { [id]: null } };
    return call.forbidden({ ...item, tool: op.name }, 'needs') ?? recordAnswer({ id }, delta);
  });
}
