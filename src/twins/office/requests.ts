/** What mails ask for: said in one sentence, and read back from it. */
import type { Rng } from '../../world/rng';
import type { State } from '../../world/types';
import { records } from '../kit/types';
import { word } from '../kit/ids';
import { LEVELS } from './docs';
import { count } from './parts';
import type { Office } from './spec';
import { CHAT, THINGS } from './words';

export type Request =
  | { kind: 'meet'; day: string; from: number; hours: number; room: string }
  | { kind: 'move'; event: string; day: string; from: number }
  | { kind: 'cancel'; event: string }
  | { kind: 'share'; name: string; level: string; doc: string };

/** A request as its sender writes it, who is `me` in it. */
export function say(request: Request): string {
  switch (request.kind) {
    case 'meet':
      return `let us meet ${request.day} at ${request.from} for ${count(request.hours, 'hour')} in ${request.room}`;
    case 'move':
      return `please move ${request.event} to ${request.day} at ${request.from}`;
    case 'cancel':
      return `please cancel ${request.event}`;
    case 'share':
      return `please let ${request.name} ${request.level} ${request.doc}`;
    default:
      return request satisfies never;
  }
}

/** The request in a mail's text, or null where it asks for nothing. */
export function read(text: string): Request | null {
  const meet = /^let us meet (\S+) at (\d+) for (\d+) hours? in (\S+)$/.exec(text);
  if (meet) {
    const [, day = '', from, hours, room = ''] = meet;
    return { kind: 'meet', day, from: Number(from), hours: Number(hours), room };
  }
  const [, move, day = '', from] = /^please move (\S+) to (\S+) at (\d+)$/.exec(text) ?? [];
  if (move !== undefined) return { kind: 'move', event: move, day, from: Number(from) };
  const [, cancel] = /^please cancel (\S+)$/.exec(text) ?? [];
  if (cancel !== undefined) return { kind: 'cancel', event: cancel };
  const [, name, level = '', doc = ''] = /^please let (\S+) (\S+) (\S+)$/.exec(text) ?? [];
  return name === undefined ? null : { kind: 'share', name, level, doc };
}

/** Text of a mail: mostly a request that this office can fulfil, sometimes chat. */
export function mailText(rng: Rng, { days, rooms }: Office, state: State, sender: string): string {
  const events = Object.keys(records(state, 'events'));
  const docs = Object.entries(records(state, 'docs'));
  if (rng.chance(0.3)) return rng.pick(CHAT).replace('*', word(rng, THINGS, 0.4));
  if (docs.length > 0) {
    const [doc, { owner }] = rng.pick(docs);
    const [who, { name = '' }] = rng.pick(Object.entries(records(state, 'people')).filter(([key]) => key !== owner));
    return say({ kind: 'share', name: who === sender ? 'me' : String(name), level: rng.pick(LEVELS), doc });
  }
  const day = rng.pick(days);
  const from = rng.int(8, 15);
  const options: Request[] = [
    { kind: 'meet', day, from, hours: rng.int(1, 2), room: rng.pick(rooms) },
    { kind: 'move', event: rng.pick(events), day, from },
    { kind: 'cancel', event: rng.pick(events) },
  ];
  return say(rng.pick(options));
}
