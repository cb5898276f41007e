/** How a thoughtful player gets about: walks, carries, and keeps track of where things are. */
import type { JsonObject } from '../../world/json';
import type { Action, State } from '../../world/types';
import { record, records } from '../kit/types';
import { hasDoor, here } from './rules';
import { HAND } from './words';

/** Calls one after another, with the places of the player and the vessels as they are after them. */
export class Plan {
  readonly calls: Action[] = [];
  private at: string;
  private readonly places: { [vessel: string]: string };

  constructor(private readonly state: State) {
    this.at = here(state);
    this.places = Object.fromEntries(
      Object.entries(records(state, 'vessels')).map(([id, item]) => [id, String(item.at)]),
    );
  }

  call(tool: string, args: JsonObject): this {
    this.calls.push({ tool, args });
    return this;
  }

  /** Walks to a room, through another one where no door leads there. */
  go(room: string): this {
    if (room === this.at) return this;
    if (!hasDoor(this.state, this.at, room)) {
      const between = Object.keys(records(this.state, 'rooms')).find(
        (other) => hasDoor(this.state, this.at, other) && hasDoor(this.state, other, room),
      );
      if (between !== undefined) this.call('move', { room: between });
    }
    this.at = room;
    return this.call('move', { room });
  }

  /** Brings a vessel to a room, in hand unless it stands there. */
  bring(vessel: string, room: string): this {
    const place = this.places[vessel] ?? '';
    if (place !== HAND && place !== room) {
      this.go(place).call('take', { id: vessel });
      this.places[vessel] = HAND;
    }
    return this.go(room);
  }

  /** Leaves a vessel in a room. */
  leave(vessel: string, room: string): this {
    this.bring(vessel, room);
    if (this.places[vessel] !== HAND) return this;
    this.places[vessel] = room;
    return this.call('put', { id: vessel });
  }

  /** Brings two vessels together, where the second one stands. */
  join(from: string, into: string): this {
    const place = this.places[into] ?? '';
    return this.bring(
      from,
      place === HAND ? (this.places[from] === HAND ? this.at : (this.places[from] ?? '')) : place,
    );
  }
}

/** An instrument of a use, with its name. */
export function instrumentFor(state: State, use: string): (JsonObject & { id: string; at: string }) | undefined {
  const [id, found] =
    Object.entries(records(state, 'instruments')).find(([, one]) => one[use] !== undefined || one.reads === use) ?? [];
  return id !== undefined && found ? { ...found, id, at: String(found.at) } : undefined;
}

/** Melting and boiling point of what is in a vessel. */
export function pointsOf(state: State, vessel: JsonObject): { melts: number; boils: number } {
  const substance = record(state, 'substances', vessel.of);
  return { melts: Number(substance?.melts), boils: Number(substance?.boils) };
}
