/** What can be done in the laboratory. */
import type { JsonObject } from '../../world/json';
import type { State } from '../../world/types';
import { errorAnswer, notFound, textAnswer, type Answer } from '../kit/answer';
import { TEXT } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Program, type ToolDef } from '../kit/types';
import { carried, hasDoor, here, productOf, RULES, stateOf, vesselsAt } from './rules';
import { HAND } from './words';

const vessel: ArgSpec = { type: 'string', from: 'vessels', maxLength: 24 };

/** Patch of a vessel from which all is gone. */
const EMPTY = { of: null, mass: null, temp: null };

/** `cup3 (liquid wax)` */
function described(state: State, id: string): string {
  const item = record(state, 'vessels', id) ?? {};
  return `${id} (${isEmpty(item) ? 'empty' : `${stateOf(state, item)} ${String(item.of)}`})`;
}

function isEmpty(item: JsonObject): boolean {
  return item.of === undefined;
}

function list(names: readonly string[]): string {
  return names.length > 0 ? names.join(', ') : 'nothing';
}

/** What stands in a room: instruments, then vessels. */
function seen(state: State, room: string): string {
  const instruments = Object.entries(records(state, 'instruments')).filter(([, { at }]) => at === room);
  const vessels = vesselsAt(state, room).map((id) => described(state, id));
  return `You see ${list([...instruments.map(([id]) => id), ...vessels])}.`;
}

function doors(state: State, room: string): string {
  const rooms = Object.keys(records(state, 'rooms')).filter((other) => other !== room && hasDoor(state, room, other));
  return `Doors: ${list(rooms)}.`;
}

/** A vessel that is in hand or stands in the room. */
function withVessel(call: Call, arg: string, then: (item: JsonObject, id: string) => Answer): Answer {
  const item = record(call.state, 'vessels', call.args[arg]);
  if (!item) return notFound(call.args[arg]);
  const id = String(call.args[arg]);
  return item.at === HAND || item.at === here(call.state)
    ? then(item, id)
    : errorAnswer('not_here', `${id} is not here`);
}

/** The same with something in it. */
function withContent(call: Call, arg: string, then: (item: JsonObject, id: string) => Answer): Answer {
  return withVessel(call, arg, (item, id) => (isEmpty(item) ? errorAnswer('empty', `${id} is empty`) : then(item, id)));
}

/** What a substance is like, for those who want to know everything. */
function points(state: State, { of }: JsonObject): string {
  const substance = record(state, 'substances', of);
  return `${String(of)} melts at ${String(substance?.melts)} and boils at ${String(substance?.boils)}.`;
}

/** The tools that warm and cool: one step of the instrument in this room, no further than its limit. */
function tempering(name: 'heat' | 'cool', description: string): ToolDef {
  const sign = name === 'heat' ? 1 : -1;
  return {
    name,
    description,
    input: { id: vessel },
    output: TEXT,
    readOnly: false,
    apply: (call) =>
      withContent(call, 'id', (item, id) => {
        const instruments = Object.entries(records(call.state, 'instruments'));
        const [tool, found] =
          instruments.find(([, one]) => one.at === here(call.state) && one[name] !== undefined) ?? [];
        if (tool === undefined || !found) return errorAnswer('no_tool', `nothing here can ${name}`);
        const limit = Number(found.to);
        if (sign * (limit - Number(item.temp)) <= 0) return errorAnswer('limit', `${tool} stops at ${limit}`);
        const next = Number(item.temp) + sign * Number(found[name]);
        const temp = sign > 0 ? Math.min(next, limit) : Math.max(next, limit);
        const after = { ...item, temp };
        const facts = { ...after, doing: `${name}ing`, room: here(call.state) };
        const refused = call.forbidden(facts, 'room', ...(name === 'heat' ? ['delicate'] : []));
        const lines = [
          `You ${name} ${id} to ${temp} degrees.`,
          `The ${String(item.of)} is ${stateOf(call.state, after)}.`,
        ];
        return (
          refused ??
          textAnswer(lines, { vessels: { [id]: { temp } } }, [`${tool}: by ${String(found[name])} to ${limit}.`])
        );
      }),
  };
}

/** Both vessels of a call that brings something from one to the other, in the order named. */
function withTwo(
  call: Call,
  then: (from: JsonObject, into: JsonObject, fromId: string, intoId: string) => Answer,
): Answer {
  return withContent(call, 'from', (from, fromId) =>
    withVessel(call, 'into', (into, intoId) =>
      fromId === intoId ? errorAnswer('same', 'the same vessel') : then(from, into, fromId, intoId),
    ),
  );
}

const TOOLS: readonly ToolDef[] = [
  {
    name: 'look',
    description: 'Room, or a substance',
    input: { at: { type: 'string', from: 'substances', maxLength: 24, optional: true } },
    output: TEXT,
    readOnly: true,
    apply: ({ state, args }) => {
      if (args.at === undefined) {
        const room = here(state);
        const hands = carried(state).map((id) => described(state, id));
        const lines = [`You are in the ${room}.`, seen(state, room), doors(state, room), `You carry ${list(hands)}.`];
        return textAnswer(lines);
      }
      if (!record(state, 'substances', args.at)) return notFound(args.at);
      const mixes = Object.values(records(state, 'mixes')).flatMap(({ a, b, gives }) => {
        if (a !== args.at && b !== args.at) return [];
        return [`With ${String(a === args.at ? b : a)} it gives ${String(gives)}.`];
      });
      return textAnswer([points(state, { of: args.at }), ...mixes]);
    },
  },
  {
    name: 'move',
    description: 'Through a door',
    input: { room: { type: 'string', from: 'rooms', maxLength: 24 } },
    output: TEXT,
    readOnly: false,
    apply: ({ state, args }) => {
      const room = String(args.room);
      if (!record(state, 'rooms', room)) return notFound(args.room);
      if (room === here(state)) return errorAnswer('conflict', 'already there');
      if (!hasDoor(state, here(state), room)) return errorAnswer('no_door', `no door to ${room}`);
      return textAnswer([`You go to the ${room}.`, seen(state, room)], { you: { at: room } }, [doors(state, room)]);
    },
  },
  {
    name: 'take',
    description: 'In hand',
    input: { id: vessel },
    output: TEXT,
    readOnly: false,
    apply: (call) =>
      withVessel(call, 'id', (item, id) => {
        if (item.at === HAND) return errorAnswer('conflict', 'already in hand');
        const hands = [...carried(call.state), id];
        const facts = { temp: item.temp ?? 0, carried: hands.length };
        const lines = [`You take ${id}.`];
        const delta = { vessels: { [id]: { at: HAND } } };
        return call.forbidden(facts, 'hot', 'carry') ?? textAnswer(lines, delta, [`You carry ${list(hands)}.`]);
      }),
  },
  {
    name: 'put',
    description: 'Sets it down',
    input: { id: vessel },
    output: TEXT,
    readOnly: false,
    apply: (call) =>
      withVessel(call, 'id', (item, id) => {
        if (item.at !== HAND) return errorAnswer('conflict', 'not in hand');
        const room = here(call.state);
        return textAnswer([`You put ${id} in the ${room}.`], { vessels: { [id]: { at: room } } }, [
          seen(call.state, room),
        ]);
      }),
  },
  {
    name: 'measure',
    description: 'Logs temp or mass',
    input: { id: vessel, with: { type: 'string', from: 'instruments', maxLength: 24 } },
    output: TEXT,
    readOnly: false,
    apply: (call) =>
      withContent(call, 'id', (item, id) => {
        const tool = record(call.state, 'instruments', call.args.with);
        if (!tool) return notFound(call.args.with);
        const name = String(call.args.with);
        if (tool.at !== here(call.state)) return errorAnswer('not_here', `${name} is not here`);
        if (tool.reads === 'mass') {
          const mass = Number(item.mass);
          return textAnswer([`${id} holds ${mass} g.`], { log: { [id]: { mass } } }, [`It is ${String(item.of)}.`]);
        }
        if (tool.reads !== 'temp') return errorAnswer('wrong_tool', `${name} does not measure`);
        const temp = Number(item.temp) - Number(call.rule('offset')?.degrees ?? 0);
        return textAnswer([`${id} is at ${temp} degrees.`], { log: { [id]: { temp } } }, [points(call.state, item)]);
      }),
  },
  tempering('heat', 'By one step'),
  tempering('cool', 'By one step'),
  {
    name: 'pour',
    description: 'g into an empty one',
    input: { from: vessel, into: vessel, g: { type: 'integer', min: 1, max: 99 } },
    output: TEXT,
    readOnly: false,
    apply: (call) =>
      withTwo(call, (from, into, fromId, intoId) => {
        if (!isEmpty(into)) return errorAnswer('not_empty', `${intoId} is not empty`);
        const g = Number(call.args.g);
        const left = Number(from.mass) - g;
        if (left < 0) return errorAnswer('too_little', `only ${String(from.mass)} g in ${fromId}`);
        const facts = { doing: 'pouring', room: here(call.state), state: stateOf(call.state, from), mass: g };
        const refused = call.forbidden(facts, 'room', 'state', 'full');
        const rest = left === 0 ? EMPTY : { mass: left };
        const poured = { of: from.of ?? '', mass: g, temp: from.temp ?? 0 };
        const lines = [`You pour ${g} g into ${intoId}.`, `${left} g are left.`];
        return (
          refused ?? textAnswer(lines, { vessels: { [fromId]: rest, [intoId]: poured } }, [points(call.state, from)])
        );
      }),
  },
  {
    name: 'mix',
    description: 'All of it; temp: mean, rounded down',
    input: { from: vessel, into: vessel },
    output: TEXT,
    readOnly: false,
    apply: (call) =>
      withTwo(call, (from, into, fromId, intoId) => {
        if (isEmpty(into)) return errorAnswer('empty', `${intoId} is empty`);
        const of = productOf(call.state, from, into);
        if (of === undefined) return errorAnswer('no_reaction', 'nothing happens');
        const mass = Number(from.mass) + Number(into.mass);
        const [state, other] = [stateOf(call.state, from), stateOf(call.state, into)];
        const facts = { doing: 'mixing', room: here(call.state), state, other, mass };
        const refused = call.forbidden(facts, 'room', 'state', 'full');
        if (refused) return refused;
        const mean = Math.floor((Number(from.temp) + Number(into.temp)) / 2);
        const temp = mean + Number(call.rule('reaction')?.degrees ?? 0);
        const after = { of, mass, temp };
        return textAnswer(
          [`${intoId} now holds ${mass} g of ${of}.`, `It is ${stateOf(call.state, after)}, at ${temp} degrees.`],
          { vessels: { [fromId]: EMPTY, [intoId]: after } },
          [points(call.state, after)],
        );
      }),
  },
];

export const PROGRAM: Program = { rules: RULES, tools: TOOLS };
