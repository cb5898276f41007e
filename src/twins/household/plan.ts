/**
 * Planning as a thoughtful person would: open what is shut before reaching in, close what has to be closed before leaving,
 * wash and cool things where the rules of the house want it.
 */
import type { JsonObject } from '../../world/json';
import type { Action } from '../../world/types';
import { records, type Records, type Seeded } from '../kit/types';
import { HAND, hereOf } from './text';
import { MEMBER, type Use } from './words';

/** A treatment that changes an object. */
export type Treatment = 'clean' | 'heat' | 'cool';

/** Writes down calls and keeps in mind what they change. Steps that cannot work are found by the kit, which runs the plan. */
export class Planner {
  readonly calls: Action[] = [];
  readonly places: Records;
  readonly objects: Records;
  private here: string;

  constructor(private readonly world: Seeded) {
    this.places = records(world.state, 'receptacles');
    this.objects = records(world.state, 'objects');
    this.here = hereOf(world.state);
  }

  /** One call that changes nothing the plan depends on. */
  call(tool: string, args: JsonObject = {}): void {
    this.calls.push({ tool, args });
  }

  goTo(place: string): void {
    if (place === this.here) return;
    const must = this.rules('shut').some((params) => params.place === this.here);
    if (must && this.places[this.here]?.door === 'open') this.door('close', 'closed');
    this.call('go_to', { id: place });
    this.here = place;
  }

  /** Goes there and sees to it that the door is open. */
  enter(place: string): void {
    this.goTo(place);
    if (this.places[place]?.door === 'closed') this.door('open', 'open');
  }

  /**
   * Goes to an object and takes it; puts something else down before, where the hands are full.
   * @param keep what is to stay in the hands
   */
  take(id: string, keep: readonly string[] = []): void {
    const object = this.objects[id];
    if (!object || object.at === HAND) return;
    const held = Object.keys(this.objects).filter((other) => this.objects[other]?.at === HAND);
    const spare = held.find((other) => !keep.includes(other));
    if (spare !== undefined && held.length >= this.hands)
      this.put(spare, this.needs(spare, this.here).length === 0 ? this.here : String(object.at));
    const at = String(object.at);
    const dark = this.rules('dark').find((params) => params.place === at);
    if (dark) this.light(String(dark.lamp));
    this.enter(at);
    this.call('take', { id });
    object.at = HAND;
  }

  /** Cleans, heats or cools an object in the hand. */
  treat(id: string, verb: Treatment): void {
    const object = this.objects[id];
    const place = this.placeFor(verb);
    if (!object || place === undefined) return;
    this.goTo(place);
    this.call(verb, { id });
    if (verb === 'clean') object.clean = true;
    else object.temp = this.places[place]?.[verb] ?? 0;
  }

  /** Makes an object in the hand fit for a place: clean or cool enough. */
  prepare(id: string, place: string): void {
    for (const verb of this.needs(id, place)) this.treat(id, verb);
  }

  /** Brings an object in the hand to its place. */
  put(id: string, place: string): void {
    const object = this.objects[id];
    if (!object) return;
    this.prepare(id, place);
    this.enter(place);
    this.call('put', { id });
    object.at = place;
  }

  /** Turns on the light of a place. */
  light(place: string): void {
    const lamp = this.places[place];
    if (!lamp || lamp.light === 'on') return;
    this.goTo(place);
    this.call('use', { id: place });
    lamp.light = 'on';
  }

  /** How many things can be held. */
  get hands(): number {
    return Number(this.rules('hands')[0]?.max ?? 1);
  }

  /** The receptacle that can do this. */
  placeFor(use: Use): string | undefined {
    return Object.keys(this.places).find((id) => this.places[id]?.[MEMBER[use]] !== undefined);
  }

  /** Whether a rule speaks of a place. */
  isRuled(place: string): boolean {
    return this.world.rules.some(({ params }) => params.place === place);
  }

  /** What has to be done to an object before a place takes it. */
  private needs(id: string, place: string): Treatment[] {
    const object = this.objects[id];
    const limits = (rule: string) => this.rules(rule).filter((params) => params.place === place);
    const dirty = object?.clean !== true && limits('clean_only').length > 0;
    const hot = limits('too_hot').some(({ max }) => Number(object?.temp) > Number(max));
    return [...(dirty ? (['clean'] as const) : []), ...(hot ? (['cool'] as const) : [])];
  }

  private door(tool: 'open' | 'close', door: string): void {
    this.call(tool, { id: this.here });
    const place = this.places[this.here];
    if (place) place.door = door;
  }

  private rules(id: string) {
    return this.world.rules.filter((rule) => rule.id === id).map(({ params }) => params);
  }
}
