/** Calendar: events on a day, from one hour to another, in a room, with somebody. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { State } from '../../world/types';
import { listAnswer, notFound, type Answer } from '../kit/answer';
import { keyed } from '../kit/ids';
import { listOf, shape } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type RuleDef, type Seeded } from '../kit/types';
import { added, changed, count, id, removed, withRecord, type App } from './parts';

/** Events that are shown of a day, as the tool says. */
const SHOWN = 3;

const RULES: readonly RuleDef[] = [
  {
    id: 'hours',
    code: 'outside_hours',
    text: ({ open, close }) => `events start at ${String(open)} or later and end by ${String(close)}`,
    violated: ({ open, close }, { from, to }) => Number(from) < Number(open) || Number(to) > Number(close),
  },
  {
    id: 'closed',
    code: 'closed',
    text: ({ room, day }) => `no events in ${String(room)} on ${String(day)}`,
    violated: ({ room, day }, facts) => facts.room === room && facts.day === day,
  },
  {
    id: 'per_day',
    code: 'full',
    text: ({ max }) => `at most ${count(max, 'event')} a day`,
    violated: ({ max }, facts) => Number(facts.onDay) > Number(max),
  },
  {
    id: 'room_clash',
    code: 'conflict',
    text: ({ max }) => `at most ${count(max, 'event')} at a time in a room`,
    violated: ({ max }, facts) => Number(facts.inRoom) > Number(max),
  },
  {
    id: 'person_clash',
    code: 'busy',
    text: ({ max }) => `at most ${count(max, 'event')} at a time with the same person`,
    violated: ({ max }, facts) => Number(facts.withPerson) > Number(max),
  },
];

const hour: ArgSpec = { type: 'integer', min: 6, max: 20 };

/** The calendar of an office with these days and rooms. */
export function calendar(days: readonly string[], rooms: readonly string[]): App {
  const day: ArgSpec = { type: 'string', enum: days };
  return {
    rules: RULES,
    tools: [
      {
        name: 'list_events',
        description: `First ${SHOWN}`,
        input: { day },
        output: listOf('id@events from:int to:int room with@people'),
        of: 'events',
        readOnly: true,
        apply: ({ state, args }) => {
          const show = ([key, { day: _, ...event }]: [string, JsonObject]) => ({ id: key, ...event });
          return listAnswer(eventsOn(state, args.day).slice(0, SHOWN).map(show));
        },
      },
      {
        name: 'add_event',
        description: '6 to 20, 1 to 4 hours',
        input: {
          day,
          from: hour,
          hours: { type: 'integer', min: 1, max: 4 },
          room: { type: 'string', enum: rooms },
          with: id('people'),
        },
        output: shape('id@events to:int'),
        of: 'events',
        readOnly: false,
        apply: (call) => {
          const { day: on = '', from = 0, hours, room = '', with: guest = '' } = call.args;
          if (!record(call.state, 'people', guest)) return notFound(guest);
          const event = { day: on, from, to: Number(from) + Number(hours), room, with: guest };
          return refusal(call, event) ?? added(call.state, 'events', 'nextEvent', event, { to: event.to });
        },
      },
      {
        name: 'move_event',
        description: '6 to 20, same length',
        input: { id: id('events'), day, from: hour },
        output: shape('id@events day from:int to:int'),
        of: 'events',
        readOnly: false,
        apply: (call) =>
          withRecord(call, 'events', 'id', (event, key) => {
            const from = Number(call.args.from);
            const moved = { day: call.args.day ?? '', from, to: from + Number(event.to) - Number(event.from) };
            return refusal(call, { ...event, ...moved }, key) ?? changed('events', key, moved);
          }),
      },
      {
        name: 'cancel_event',
        description: 'Removes it',
        input: { id: id('events') },
        output: shape('id'),
        readOnly: false,
        destructive: true,
        apply: (call) => withRecord(call, 'events', 'id', (_, key) => removed('events', key)),
      },
    ],
  };
}

/** Why an event may not be there, given all others; `self` is the event itself when it is moved. */
function refusal(call: Call, event: JsonObject, self?: string): Answer | undefined {
  const sameDay = eventsOn(call.state, event.day).filter(([key]) => key !== self);
  const atOnce = sameDay.filter(([, other]) => overlap(other, event));
  const facts = {
    ...event,
    onDay: sameDay.length + 1,
    inRoom: atOnce.filter(([, other]) => other.room === event.room).length + 1,
    withPerson: atOnce.filter(([, other]) => other.with === event.with).length + 1,
  };
  return call.forbidden(facts, ...RULES.map((rule) => rule.id));
}

/** Events of a day under their ids. */
export function eventsOn(state: State, day: JsonObject[string] | undefined): [string, JsonObject][] {
  return Object.entries(records(state, 'events')).filter(([, event]) => event.day === day);
}

/** Whether two events of a day have a moment in common; one may begin when the other ends. */
export function overlap(a: JsonObject, b: JsonObject): boolean {
  return Number(a.from) < Number(b.to) && Number(b.from) < Number(a.to);
}

/** One of each rule of the calendar, such that no event breaks one. */
export function calendarRules(rng: Rng, state: State, days: readonly string[], rooms: readonly string[]) {
  const events = Object.values(records(state, 'events'));
  const open = Math.min(rng.int(7, 10), ...events.map(({ from }) => Number(from)));
  const close = Math.max(rng.int(15, 18), ...events.map(({ to }) => Number(to)));
  const unused = days
    .flatMap((day) => rooms.map((room) => ({ room, day })))
    .filter(({ room, day }) => !events.some((event) => event.room === room && event.day === day));
  const busiest = Math.max(...days.map((day) => eventsOn(state, day).length));
  const rules: Seeded['rules'] = [
    { id: 'hours', params: { open, close } },
    { id: 'per_day', params: { max: Math.max(busiest, rng.int(1, 3)) } },
    { id: 'room_clash', params: { max: rng.chance(0.85) ? 1 : 2 } },
    { id: 'person_clash', params: { max: rng.chance(0.85) ? 1 : 2 } },
  ];
  return unused.length > 0 ? [...rules, { id: 'closed', params: rng.pick(unused) }] : rules;
}

/** Events of a few days of which no two clash, in a room or for a person. */
export function someEvents(
  rng: Rng,
  keys: readonly string[],
  { days, rooms }: { days: readonly string[]; rooms: readonly string[] },
  people: readonly string[],
): JsonObject {
  const busy = rng.pick(days);
  const events: JsonObject[] = [];
  while (events.length < keys.length) {
    const from = rng.int(8, 15);
    const day = rng.chance(0.5) ? busy : rng.pick(days);
    const event = { day, from, to: from + rng.int(1, 2), room: rng.pick(rooms), with: rng.pick(people) };
    const clash = (other: JsonObject) =>
      other.day === day && overlap(other, event) && (other.room === event.room || other.with === event.with);
    if (!events.some(clash)) events.push(event);
  }
  return keyed(keys, (_, i) => events[i] ?? {});
}
