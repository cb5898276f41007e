/** What sets one office apart from another: which programs it has, its days and its rooms. All of it shows in its tools. */
import { get, type JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import { words } from '../kit/ids';
import { ROOMS, WEEK } from './words';

export const APPS = ['calendar', 'docs', 'mail'] as const;
export type AppName = (typeof APPS)[number];

export interface Office {
  apps: readonly AppName[];
  /** Days and rooms of the calendar; empty without one. */
  days: readonly string[];
  rooms: readonly string[];
}

/** Two programs of three, so that block 0 stays small. */
export function officeSpec(rng: Rng): JsonObject {
  const left = rng.pick(['calendar', 'docs', 'mail', 'docs', 'mail']);
  const apps = APPS.filter((app) => app !== left);
  const first = rng.int(0, WEEK.length - 2);
  const days = WEEK.slice(first, first + 2).join(' ');
  const rooms = words(rng, ROOMS, 2).join(' ');
  return { apps: apps.join(' '), ...(apps.includes('calendar') ? { days, rooms } : {}) };
}

/**
 * The office of a spec.
 * @throws Error when it is not one that `officeSpec` makes
 */
export function readSpec(spec: JsonObject | undefined): Office {
  const list = (key: string) => {
    const text = spec && get(spec, key);
    return typeof text === 'string' && text !== '' ? text.split(' ') : [];
  };
  const wanted = list('apps');
  const apps = APPS.filter((app) => wanted.includes(app));
  const [days, rooms] = [list('days'), list('rooms')];
  if (apps.length === 0 || apps.length !== wanted.length) throw new Error('the spec is not one of an office');
  if (apps.includes('calendar') && (days.length === 0 || rooms.length === 0)) throw new Error('a calendar needs days');
  return { apps, days, rooms };
}
