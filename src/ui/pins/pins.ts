/** Pins as the page handles them: put together, written by hand, foretold for each kind of model, and read from records. */
import { ModelError } from '../../models/errors';
import { forcedStart, pathsOf, placeInWindow } from '../../models/pins';
import { pinProblem, pointerParts, type Pin } from '../../world/anchors';
import { pointerKey } from '../../world/checks';
import type { Tokenizer } from '../../world/codec';
import { get, isObject, parseJson, stringify, type Json, type Parsed } from '../../world/json';
import type { Selection } from '../../world/simulator';
import { SLOTS, type Action, type Slot, type World } from '../../world/types';
import { LIMITS } from '../limits';
import { readablePath } from '../readable';

/** What tells pins apart: two with one key pin the same place. */
export function pinKey({ slot, pointer }: Pick<Pin, 'slot' | 'pointer'>): string {
  return `${slot} ${pointer}`;
}

/** A pin as people read it: `observation \u203a status = "pending"`. */
export function describePin({ slot, pointer, value }: Pin): string {
  const place = pointer === '' ? slot : `${slot} \u203a ${readablePath(pointer)}`;
  return `${place} = ${stringify(value)}`;
}

/** Pins with one more; it takes the place of one with the same key. The error says what to do. */
export function withPin(pins: readonly Pin[], pin: Pin): Parsed<Pin[]> {
  const value = [...pins.filter((one) => pinKey(one) !== pinKey(pin)), pin];
  const problem = pinProblem(value);
  if (problem === null) return { ok: true, value };
  const alone = pinProblem([pin]);
  return { ok: false, error: alone ?? `${problem} Remove the other one first.` };
}

/** Pins without the one with a key. */
export function withoutPin(pins: readonly Pin[], key: string): Pin[] {
  return pins.filter((one) => pinKey(one) !== key);
}

/** A pin from what was typed: a JSON Pointer (its first slash may be left out) and a JSON value. */
export function readPin(slot: Slot, where: string, text: string): Parsed<Pin> {
  const typed = where.trim();
  const pointer = typed === '' || typed.startsWith('/') ? typed : `/${typed}`;
  const parsed = parseJson(text.trim());
  // A status is a word, with or without quotes.
  const value = parsed.ok ? parsed.value : slot === 'status' ? text.trim() : undefined;
  if (value === undefined) {
    return {
      ok: false,
      error: `The value is not JSON. Put a text in quotes: "pending"; or write 40, true, {"id":"W17"}.`,
    };
  }
  const made = withPin([], { slot, pointer, value });
  return made.ok ? { ok: true, value: { slot, pointer, value } } : made;
}

/** What would become of each pin: whether an MDLM and an AR model can fix it beforehand. */
export type Foretold = { ok: true; mdlm: boolean[]; ar: boolean[] } | { ok: false; error: string };

/** What the models make of pins before they answer; the error is theirs, with its advice. */
export function foretell(pins: readonly Pin[], world: World, action: Action, tokenizer: Tokenizer): Foretold {
  try {
    const paths = pathsOf(pins, world, action);
    const mdlm = placeInWindow(pins, paths, tokenizer).placed;
    return { ok: true, mdlm, ar: forcedStart(pins, paths, '', tokenizer).placed };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { ok: false, error: `${error.message} ${error.advice}` };
  }
}

/** A pin that the tool's output schema has no place for, as a sentence; null where nothing speaks against them. */
export function misfit(pins: readonly Pin[], world: World, action: Action): string | null {
  if (!('tool' in action)) return null;
  const schema = world.tools.find(({ name }) => name === action.tool)?.outputSchema;
  const stray = schema && pins.find((pin) => pin.slot === 'observation' && !fits(schema, pointerParts(pin.pointer)));
  if (!stray) return null;
  return `${action.tool} answers with nothing at ${stray.pointer}. It may well fail to hold: remove it, or pick a field of an answer of this tool.`;
}

/** Whether a schema knows the place; what it leaves open it knows. */
function fits(schema: Json, parts: readonly string[]): boolean {
  const [part, ...rest] = parts;
  if (part === undefined || !isObject(schema)) return true;
  const properties = get(schema, 'properties');
  if (isObject(properties)) return Object.hasOwn(properties, part) && fits(get(properties, part) as Json, rest);
  const items = get(schema, 'items');
  return items === undefined || (/^(0|[1-9]\d*)$/.test(part) && fits(items, rest));
}

/** JSON Pointers into a value, outer ones first, as suggestions. */
export function pointersInto(value: Json, most = 60, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => {
    const here = `${path}/${pointerKey(key)}`;
    return [here, ...pointersInto(item as Json, most, here)];
  });
  return inner.slice(0, most);
}

/** How a pin went, for people: what was done about it, and whether the answer has it. */
export interface Outcome {
  held: boolean;
  text: string;
}

/** What became of each pin of an answer. */
export function outcomesOf(pins: readonly Pin[], selection: Selection | undefined, model: string): Outcome[] {
  const { attempts = 0, accepted = 0, pins: told } = selection ?? {};
  // An imported file may have anything there.
  const fates = Array.isArray(told) ? told : [];
  return pins.map((_, i) => {
    const { placed = false, held = false } = fates[i] ?? {};
    if (placed) {
      const text =
        model === 'mdlm'
          ? 'in every draft, where the best path of the JSON has it; the rest was written around it, from both sides'
          : 'forced: the answer was made to start with it';
      return { held, text };
    }
    const rate = `${accepted} of ${attempts} ${attempts === 1 ? 'answer' : 'answers'}`;
    if (held) return { held, text: `not fixed, but tried for: ${rate} had every pin` };
    const more = attempts < LIMITS.attempts.max ? ' Allow more attempts in Sampling, or pin less.' : ' Pin less.';
    return { held, text: `not fixed, and tried for in vain: ${rate} had every pin.${more}` };
  });
}

/** Pins in the record of a lane's settings; an imported file may have anything there. */
export function recordedPins(sampler: { pins?: unknown } | undefined): Pin[] {
  const pins = sampler?.pins;
  if (!Array.isArray(pins)) return [];
  const good = (pin: Partial<Pin> | null) =>
    SLOTS.some((slot) => slot === pin?.slot) && typeof pin?.pointer === 'string' && pin.value !== undefined;
  return (pins as Pin[]).filter(good);
}
