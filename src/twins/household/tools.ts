/** The tools of the household: moving about, doors, taking and putting, and what the appliances do. */
import type { JsonObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import { echo, errorAnswer, textAnswer, type Answer } from '../kit/answer';
import { TEXT } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Program, type ToolDef } from '../kit/types';
import { DONE, RULES } from './rules';
import { carried, contents, HAND, hereOf, inReach, listing, objectsAt, preposition, roomLine, show } from './text';

const object: ArgSpec = { type: 'string', from: 'objects' };
const receptacle: ArgSpec = { type: 'string', from: 'receptacles' };

/** One thing at a time, unless a rule says more; the description of `take` says so. */
const HANDS = 1;

type Part = Pick<ToolDef, 'name' | 'description' | 'input' | 'apply'>;

const looks: Part[] = [
  { name: 'look', description: 'Where you are, what you carry', input: {}, apply: look },
  { name: 'examine', description: 'A thing or place here', input: { thing: object }, apply: examine },
];

const acts: Part[] = [
  { name: 'go_to', description: 'Walks there', input: { receptacle }, apply: goTo },
  { name: 'open', description: 'Opens its door', input: { receptacle }, apply: (call) => door(call, 'open') },
  { name: 'close', description: 'Closes its door', input: { receptacle }, apply: (call) => door(call, 'closed') },
  { name: 'take', description: 'One in hand at a time', input: { object }, apply: take },
  { name: 'put', description: 'From hand, where you are', input: { object, receptacle }, apply: put },
  { name: 'clean', description: 'In hand, at a place for it', input: { object }, apply: clean },
  {
    name: 'heat',
    description: 'In hand, up to what is here',
    input: { object },
    apply: (call) => temper(call, 'heat'),
  },
  {
    name: 'cool',
    description: 'In hand, down to what is here',
    input: { object },
    apply: (call) => temper(call, 'cool'),
  },
  { name: 'use', description: 'Its light on or off', input: { receptacle }, apply: use },
];

/** The program of every household. */
export const PROGRAM: Program = {
  rules: RULES,
  tools: [
    ...looks.map((part) => ({ ...part, output: TEXT, readOnly: true })),
    ...acts.map((part) => ({ ...part, output: TEXT, readOnly: false })),
  ],
};

function look({ state }: Call): Answer {
  const here = hereOf(state);
  const places = Object.entries(records(state, 'receptacles')).filter(([id]) => id !== here);
  const room = record(state, 'receptacles', here)?.room;
  const near = places.filter(([, place]) => place.room === room).map(([id]) => id);
  const far = places.filter(([, place]) => place.room !== room).map(([id]) => id);
  return textAnswer(
    [
      `You are at the ${here}${room === undefined ? '' : ` in the ${show(room)}`}. ${carried(state)}`,
      `Near it you see ${listing(near)}.`,
      ...(far.length > 0 ? [`Elsewhere there is ${listing(far)}.`] : []),
    ],
    {},
    [`There are ${Object.keys(records(state, 'receptacles')).length} places.`],
  );
}

function examine({ state, args: { thing } }: Call): Answer {
  const id = show(thing);
  const found = inReach(state, id) ? record(state, 'objects', id) : undefined;
  if (found) {
    const dirt = found.clean === true ? 'clean' : 'dirty';
    const where =
      found.at === HAND ? 'You carry it.' : `It is ${preposition(state, hereOf(state))} the ${hereOf(state)}.`;
    return textAnswer([`The ${id} is ${show(found.kind)}, ${dirt}, at ${show(found.temp)} degrees.`], {}, [where]);
  }
  const place = record(state, 'receptacles', id);
  if (!place) return unseen(id);
  if (id !== hereOf(state)) return away(id);
  const lines = [contents(state, id)];
  if (place.use === 'light') lines.push(`Its light is ${show(place.light)}.`);
  else if (place.use === 'clean') lines.push('It can clean.');
  else if (place.use !== undefined) lines.push(`It can ${show(place.use)} to ${show(place.to)} degrees.`);
  return textAnswer(lines, {}, roomLine(state, id));
}

function goTo(call: Call): Answer {
  const { state } = call;
  const to = show(call.args.receptacle);
  const from = hereOf(state);
  const place = record(state, 'receptacles', to);
  if (!place) return unknown(to);
  if (to === from) return errorAnswer('conflict', `you are at the ${to} already`);
  const old = record(state, 'receptacles', from) ?? {};
  const facts: JsonObject = { from, door: show(old.door), fromRoom: show(old.room), toRoom: show(place.room) };
  for (const id of objectsAt(state, HAND)) facts[`carries_${show(record(state, 'objects', id)?.kind)}`] = true;
  const refused = call.forbidden(facts, 'shut', 'keep_room');
  const delta = { agent: { at: to } };
  return refused ?? textAnswer([`You go to the ${to}.`, contents(state, to)], delta, roomLine(state, to));
}

function door(call: Call, wanted: 'open' | 'closed'): Answer {
  return atPlace(call, (id, place) => {
    if (place.door === undefined) return errorAnswer('no_door', `the ${id} has no door`);
    if (place.door === wanted) return errorAnswer('conflict', `the ${id} is ${wanted} already`);
    const delta = { receptacles: { [id]: { door: wanted } } };
    const more = roomLine(call.state, id);
    if (wanted === 'closed') return textAnswer([`You close the ${id}.`], delta, more);
    return textAnswer([`You open the ${id}.`, contents(applyDelta(call.state, delta), id)], delta, more);
  });
}

function take(call: Call): Answer {
  const id = show(call.args.object);
  if (!inReach(call.state, id)) return unseen(id);
  if (record(call.state, 'objects', id)?.at === HAND) return errorAnswer('conflict', `you carry the ${id} already`);
  const max = Number(call.rule('hands')?.max ?? HANDS);
  if (objectsAt(call.state, HAND).length >= max) return errorAnswer('hands_full', 'your hands are full');
  const delta = { objects: { [id]: { at: HAND } } };
  const more = [carried(applyDelta(call.state, delta))];
  return textAnswer([`You take the ${id} from the ${hereOf(call.state)}.`], delta, more);
}

function put(call: Call): Answer {
  return held(call, (id, thing) =>
    atPlace(call, (place, { door: state }) => {
      if (state === 'closed') return errorAnswer('closed', `the ${place} is closed`);
      const facts = {
        place,
        clean: thing.clean ?? '',
        temp: thing.temp ?? '',
        count: objectsAt(call.state, place).length + 1,
      };
      const refused = call.forbidden(facts, 'clean_only', 'too_hot', 'max_in');
      const delta = { objects: { [id]: { at: place } } };
      const more = [contents(applyDelta(call.state, delta), place)];
      return refused ?? textAnswer([`You put the ${id} ${preposition(call.state, place)} the ${place}.`], delta, more);
    }),
  );
}

function clean(call: Call): Answer {
  return treated(call, 'clean', (id, thing, here) => {
    if (thing.clean === true) return errorAnswer('conflict', `the ${id} is clean already`);
    const delta = { objects: { [id]: { clean: true } } };
    return (
      allowed(call, 'clean', thing) ?? textAnswer([`You clean the ${id} at the ${here}.`], delta, [carried(call.state)])
    );
  });
}

function temper(call: Call, verb: 'heat' | 'cool'): Answer {
  return treated(call, verb, (id, thing, here, to) => {
    const enough = verb === 'heat' ? Number(thing.temp) >= to : Number(thing.temp) <= to;
    if (enough) return errorAnswer('conflict', `the ${id} is at ${show(thing.temp)} degrees already`);
    const lines = [`You ${verb} the ${id} at the ${here}.`, `It is at ${to} degrees.`];
    const delta = { objects: { [id]: { temp: to } } };
    return allowed(call, verb, thing) ?? textAnswer(lines, delta, [carried(call.state)]);
  });
}

function use(call: Call): Answer {
  return atPlace(call, (id, place) => {
    if (place.use !== 'light') return errorAnswer('no_use', `the ${id} has no light`);
    const light = place.light === 'on' ? 'off' : 'on';
    return textAnswer([`You turn ${light} the ${id}.`], { receptacles: { [id]: { light } } }, roomLine(call.state, id));
  });
}

/** What the rules on a treatment say. */
function allowed(call: Call, verb: string, thing: JsonObject): Answer | undefined {
  const facts = { done: DONE[verb] ?? '', kind: thing.kind ?? '', clean: thing.clean ?? '' };
  return call.forbidden(facts, 'only_kind', 'clean_first');
}

/** Goes on with the receptacle of the call, which must be where the agent is. */
function atPlace(call: Call, then: (id: string, place: JsonObject) => Answer): Answer {
  const id = show(call.args.receptacle);
  const place = record(call.state, 'receptacles', id);
  if (!place) return unknown(id);
  return id === hereOf(call.state) ? then(id, place) : away(id);
}

/** Goes on with the object of the call, which must be in the hand. */
function held(call: Call, then: (id: string, thing: JsonObject) => Answer): Answer {
  const id = show(call.args.object);
  const thing = record(call.state, 'objects', id);
  if (!inReach(call.state, id) || !thing) return unseen(id);
  return thing.at === HAND ? then(id, thing) : errorAnswer('not_held', `you do not carry the ${id}`);
}

/** Goes on with an object in the hand at a place of this use; `to` is the temperature the place brings things to. */
function treated(
  call: Call,
  verb: string,
  then: (id: string, thing: JsonObject, here: string, to: number) => Answer,
): Answer {
  return held(call, (id, thing) => {
    const here = hereOf(call.state);
    const place = record(call.state, 'receptacles', here);
    if (place?.use !== verb) return errorAnswer('no_use', `the ${echo(here)} cannot ${verb}`);
    return then(id, thing, here, Number(place.to));
  });
}

function unknown(id: string): Answer {
  return errorAnswer('not_found', `there is no ${echo(id) || 'such place'}`);
}

/** What is elsewhere or behind a door reads as what does not exist: the agent cannot know better. */
function unseen(id: string): Answer {
  return errorAnswer('not_here', `you see no ${echo(id) || 'such thing'} here`);
}

function away(id: string): Answer {
  return errorAnswer('away', `you are not at the ${id}`);
}
