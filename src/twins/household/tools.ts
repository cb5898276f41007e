/** The tools of the household: moving about, doors, taking and putting, and what the appliances do. */
import type { JsonObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import { echo, errorAnswer, textAnswer, type Answer } from '../kit/answer';
import { TEXT } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Program, type ToolDef } from '../kit/types';
import { DONE, RULES } from './rules';
import { heldLine, contents, HAND, hereOf, inReach, listing, objectsAt, preposition, roomLine, show } from './text';

const object: ArgSpec = { type: 'string', from: 'objects' };
const place: ArgSpec = { type: 'string', from: 'receptacles' };

/** One thing at a time, unless a rule says more; the description of `take` says so. */
const HANDS = 1;

type Part = Pick<ToolDef, 'name' | 'description' | 'input' | 'apply'>;

const looks: Part[] = [
  { name: 'look', description: 'Where you are', input: {}, apply: look },
  { name: 'examine', description: 'One thing', input: { id: object }, apply: examine },
];

const acts: Part[] = [
  { name: 'go_to', description: 'To a place', input: { id: place }, apply: goTo },
  { name: 'open', description: 'Opens a door', input: { id: place }, apply: (call) => door(call, 'open') },
  { name: 'close', description: 'Closes a door', input: { id: place }, apply: (call) => door(call, 'closed') },
  { name: 'take', description: 'One at a time', input: { id: object }, apply: take },
  { name: 'put', description: 'Into this place', input: { id: object }, apply: put },
  { name: 'clean', description: 'Held, at water', input: { id: object }, apply: clean },
  { name: 'heat', description: 'Held, up to heat', input: { id: object }, apply: (call) => temper(call, 'heat') },
  { name: 'cool', description: 'Held, down to cool', input: { id: object }, apply: (call) => temper(call, 'cool') },
  { name: 'use', description: 'Light on or off', input: { id: place }, apply: use },
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
      `You are at the ${here}${room === undefined ? '' : ` in the ${show(room)}`}. ${heldLine(state)}`,
      `Near it you see ${listing(near)}.`,
      ...(far.length > 0 ? [`Elsewhere there is ${listing(far)}.`] : []),
    ],
    {},
    [`There are ${Object.keys(records(state, 'receptacles')).length} places.`],
  );
}

function examine(call: Call): Answer {
  const { state, args } = call;
  const id = show(args.id);
  const found = inReach(call, id) ? record(state, 'objects', id) : undefined;
  if (found) {
    const dirt = found.clean === true ? 'clean' : 'dirty';
    const where =
      found.at === HAND ? 'You hold it.' : `It is ${preposition(state, hereOf(state))} the ${hereOf(state)}.`;
    return textAnswer([`The ${id} is ${show(found.kind)}, ${dirt}, at ${show(found.temp)} degrees.`], {}, [where]);
  }
  // What is elsewhere reads as what does not exist, except for places, which can be seen from afar.
  if (!record(state, 'receptacles', id)) return unseen(id);
  return atPlace(call, (_, place) => {
    const lines = [contents(call, id)];
    if (place.water !== undefined) lines.push('It has water.');
    if (place.light !== undefined) lines.push(`Its light is ${show(place.light)}.`);
    for (const verb of ['heat', 'cool'])
      if (place[verb] !== undefined) lines.push(`It can ${verb} to ${show(place[verb])} degrees.`);
    return textAnswer(lines, {}, roomLine(state, id));
  });
}

function goTo(call: Call): Answer {
  const { state } = call;
  const to = show(call.args.id);
  const from = hereOf(state);
  const place = record(state, 'receptacles', to);
  if (!place) return unknown(to);
  if (to === from) return errorAnswer('conflict', `you are at the ${to} already`);
  const old = record(state, 'receptacles', from) ?? {};
  const facts: JsonObject = { from, door: show(old.door), fromRoom: show(old.room), toRoom: show(place.room) };
  for (const id of objectsAt(state, HAND)) facts[`holds_${show(record(state, 'objects', id)?.kind)}`] = true;
  const refused = call.forbidden(facts, 'shut', 'keep_room');
  const delta = { agent: { at: to } };
  return refused ?? textAnswer([`You go to the ${to}.`, contents(call, to)], delta, roomLine(state, to));
}

function door(call: Call, wanted: 'open' | 'closed'): Answer {
  return atPlace(call, (id, place) => {
    if (place.door === undefined) return errorAnswer('no_door', `the ${id} has no door`);
    if (place.door === wanted) return errorAnswer('conflict', `the ${id} is ${wanted} already`);
    const delta = { receptacles: { [id]: { door: wanted } } };
    const more = roomLine(call.state, id);
    if (wanted === 'closed') return textAnswer([`You close the ${id}.`], delta, more);
    return textAnswer([`You open the ${id}.`, contents(call, id, 'open')], delta, more);
  });
}

function take(call: Call): Answer {
  const id = show(call.args.id);
  if (!inReach(call, id)) return unseen(id);
  if (record(call.state, 'objects', id)?.at === HAND) return errorAnswer('conflict', `you hold the ${id} already`);
  const max = Number(call.rule('hands')?.max ?? HANDS);
  if (objectsAt(call.state, HAND).length >= max) return errorAnswer('hands_full', 'your hands are full');
  const delta = { objects: { [id]: { at: HAND } } };
  const more = [heldLine(applyDelta(call.state, delta))];
  return textAnswer([`You take the ${id} from the ${hereOf(call.state)}.`], delta, more);
}

function put(call: Call): Answer {
  return held(call, (id, thing) => {
    const here = hereOf(call.state);
    if (record(call.state, 'receptacles', here)?.door === 'closed')
      return errorAnswer('closed', `the ${here} is closed`);
    const { clean = '', temp = '' } = thing;
    const facts = { place: here, clean, temp, count: objectsAt(call.state, here).length + 1 };
    const refused = call.forbidden(facts, 'clean_only', 'too_hot', 'max_in');
    const delta = { objects: { [id]: { at: here } } };
    const more = [contents({ ...call, state: applyDelta(call.state, delta) }, here)];
    return refused ?? textAnswer([`You put the ${id} ${preposition(call.state, here)} the ${here}.`], delta, more);
  });
}

function clean(call: Call): Answer {
  return held(call, (id, thing) => {
    const here = hereOf(call.state);
    if (record(call.state, 'receptacles', here)?.water === undefined)
      return errorAnswer('no_use', `the ${here} has no water`);
    if (thing.clean === true) return errorAnswer('conflict', `the ${id} is clean already`);
    const answer = textAnswer([`You clean the ${id} at the ${here}.`], { objects: { [id]: { clean: true } } });
    return allowed(call, 'clean', thing) ?? answer;
  });
}

function temper(call: Call, verb: 'heat' | 'cool'): Answer {
  return held(call, (id, thing) => {
    const here = hereOf(call.state);
    const to = record(call.state, 'receptacles', here)?.[verb];
    if (to === undefined) return errorAnswer('no_use', `the ${here} cannot ${verb}`);
    const enough = verb === 'heat' ? Number(thing.temp) >= Number(to) : Number(thing.temp) <= Number(to);
    if (enough) return errorAnswer('conflict', `the ${id} is at ${show(thing.temp)} degrees already`);
    const lines = [`You ${verb} the ${id} at the ${here}.`, `It is at ${show(to)} degrees.`];
    return allowed(call, verb, thing) ?? textAnswer(lines, { objects: { [id]: { temp: to } } });
  });
}

function use(call: Call): Answer {
  return atPlace(call, (id, place) => {
    if (place.light === undefined) return errorAnswer('no_use', `the ${id} has no light`);
    const light = place.light === 'on' ? 'off' : 'on';
    return textAnswer([`You turn the ${id} ${light}.`], { receptacles: { [id]: { light } } }, roomLine(call.state, id));
  });
}

/** What the rules on a treatment say. */
function allowed(call: Call, verb: string, thing: JsonObject): Answer | undefined {
  return call.forbidden({ done: DONE[verb] ?? '', kind: thing.kind ?? '' }, 'only_kind');
}

/** Goes on with the receptacle of the call, which must be where the agent is. */
function atPlace(call: Call, then: (id: string, place: JsonObject) => Answer): Answer {
  const id = show(call.args.id);
  const place = record(call.state, 'receptacles', id);
  if (!place) return unknown(id);
  return id === hereOf(call.state) ? then(id, place) : errorAnswer('away', `you are not at the ${id}`);
}

/** Goes on with the object of the call, which must be in the hand. */
function held(call: Call, then: (id: string, thing: JsonObject) => Answer): Answer {
  const id = show(call.args.id);
  const thing = record(call.state, 'objects', id);
  if (!inReach(call, id) || !thing) return unseen(id);
  return thing.at === HAND ? then(id, thing) : errorAnswer('not_held', `you do not hold the ${id}`);
}

function unknown(id: string): Answer {
  return errorAnswer('not_found', `there is no ${echo(id) || 'such place'}`);
}

/** What is elsewhere or behind a door reads as what does not exist: the agent cannot know better. */
function unseen(id: string): Answer {
  return errorAnswer('not_here', `you see no ${echo(id) || 'such thing'} here`);
}
