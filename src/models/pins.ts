/** Pins as tokens: fixed places of an MDLM's window, and what an AR model's answer is made to start with. */
import { pathInSchema, pinProblem, wholeText, type PathStep, type Pin } from '../world/anchors';
import { END, PRE_TOKEN, SLOT_SIZES, START_SIZES, fillSlot, type SlotSizes, type Tokenizer } from '../world/codec';
import { leadOf, leadingPins } from '../world/skeleton';
import { SLOTS, type Action, type Slot, type World } from '../world/types';
import { MAX_TOKENS } from './autoregressive/answer';
import { ModelError } from './errors';
import { sizeFor, type Ban, type FixedPlace, type FixedSlots } from './diffusion/window';

/** Places that are at least left behind the last pinned value of a slot. */
const REST = 3;

/**
 * Where each pin stands: as it says itself, or as the output schema of the tool does.
 * @throws ModelError `bad_options` for pins that cannot be asked for
 */
export function pathsOf(pins: readonly Pin[], world: World, action: Action): (readonly PathStep[] | null)[] {
  const problem = pinProblem(pins);
  if (problem !== null) throw new ModelError('bad_options', problem, 'Change or remove that pin.');
  const name = 'tool' in action ? action.tool : null;
  const schema = world.tools.find((tool) => tool.name === name)?.outputSchema;
  return pins.map(({ slot, pointer, path }) => {
    if (path) return path;
    if (pointer === '') return [];
    return slot === 'observation' && schema ? pathInSchema(schema, pointer) : null;
  });
}

export interface Placed {
  fixed: FixedSlots;
  sizes: SlotSizes;
  /** For each pin, whether it is fixed. */
  placed: boolean[];
}

/**
 * Fixed places of a window. Whole slots are filled with their pads. Of a slot with pinned fields only the start is fixed, up
 * to its first unknown value: where the fields behind that stand is decided while it is filled (constraint/pinned.ts).
 * @throws ModelError `bad_options` when they are longer than the largest window
 */
export function placeInWindow(
  pins: readonly Pin[],
  paths: readonly (readonly PathStep[] | null)[],
  tokenizer: Tokenizer,
): Placed {
  const fixed: FixedSlots = {};
  const sizes = { ...START_SIZES };
  const placed = pins.map(() => false);
  for (const slot of SLOTS) {
    const here = [...pins.keys()].filter((i) => pins[i]?.slot === slot && paths[i]);
    const whole = here.find((i) => pins[i]?.pointer === '');
    let places: (FixedPlace | null)[];
    if (whole !== undefined) {
      const content = tokenizer.encode(wholeText(pins[whole] as Pin));
      sizes[slot] = sizeOf(slot, content.length + 1);
      places = fillSlot(content, sizes[slot]).map((id) => ({ id }));
      placed[whole] = true;
    } else {
      const lead = leadOf(
        here.map((i) => pins[i] as Pin),
        here.map((i) => paths[i] as readonly PathStep[]),
      );
      if (!lead) continue;
      const known = tokenizer.encode(lead.text).map((id) => ({ id }));
      places = [...known, { ban: startBan(textsOf(tokenizer), lead.next) }];
      sizes[slot] = sizeOf(slot, places.length + REST);
      for (const i of here) placed[i] = true;
    }
    fixed[slot] = places;
  }
  return { fixed, sizes, placed };
}

function sizeOf(slot: Slot, tokens: number): number {
  const size = sizeFor(slot, tokens);
  if (size !== undefined) return size;
  const message = `What is pinned of the ${slot} takes ${tokens} tokens; the largest slot has ${Math.max(...SLOT_SIZES[slot])}.`;
  throw new ModelError('bad_options', message, 'Pin less of it.');
}

/** What an AR model's answer starts with: tokens, and what the text behind them may start with (null for anything). */
export interface Forced {
  ids: number[];
  next: readonly string[] | null;
  placed: boolean[];
}

/**
 * Tokens that can be forced because nothing free stands before them: slots that are pinned whole from the first on, and in
 * the slot behind them the fields that come first. A text to start with takes their place.
 * @throws ModelError `bad_options` when a text and pins are both to start the answer, or when an answer has no room for them
 */
export function forcedStart(
  pins: readonly Pin[],
  paths: readonly (readonly PathStep[] | null)[],
  prefix: string,
  tokenizer: Tokenizer,
): Forced {
  const forced = startOf(pins, paths, prefix, tokenizer);
  const { length } = forced.ids;
  if (length <= MAX_TOKENS) return forced;
  const message = `What the answer is to start with takes ${length} tokens; an answer has ${MAX_TOKENS} at most.`;
  throw new ModelError('bad_options', message, prefix === '' ? 'Pin less of it.' : 'Shorten it.');
}

function startOf(
  pins: readonly Pin[],
  paths: readonly (readonly PathStep[] | null)[],
  prefix: string,
  tokenizer: Tokenizer,
): Forced {
  const placed = pins.map(() => false);
  const ids: number[] = [];
  if (prefix !== '') {
    if (pins.some(({ slot, pointer }) => slot === 'observation' && pointer === '')) {
      const message = 'The observation is pinned whole and is to start with a text as well.';
      throw new ModelError('bad_options', message, 'Leave one of them out.');
    }
    return { ...textStart(prefix, tokenizer), placed };
  }
  for (const slot of SLOTS) {
    const here = [...pins.keys()].filter((i) => pins[i]?.slot === slot);
    const whole = here.find((i) => pins[i]?.pointer === '');
    if (whole !== undefined) {
      ids.push(...tokenizer.encode(wholeText(pins[whole] as Pin)), END);
      placed[whole] = true;
      continue;
    }
    const chosen = leadingPins(
      here.map((i) => pins[i] as Pin),
      here.map((i) => paths[i] ?? null),
    ).map((at) => here[at] as number);
    const lead = leadOf(
      chosen.map((i) => pins[i] as Pin),
      chosen.map((i) => paths[i] as readonly PathStep[]),
    );
    if (!lead) return { ids, next: null, placed };
    for (const i of chosen) placed[i] = true;
    ids.push(...tokenizer.encode(lead.text));
    return { ids, next: lead.next, placed };
  }
  return { ids, next: null, placed };
}

/** The last piece of a text may go on, so its tokens are left to the model, which has to write a text that starts so. */
function textStart(prefix: string, tokenizer: Tokenizer): { ids: number[]; next: readonly string[] | null } {
  const last = prefix.match(PRE_TOKEN)?.at(-1) ?? '';
  // Bytes of a character are no text of their own.
  if (!/^[\x20-\x7e]+$/.test(last)) return { ids: tokenizer.encode(prefix), next: null };
  return { ids: tokenizer.encode(prefix.slice(0, prefix.length - last.length)), next: [last] };
}

/** Bans what does not start with one of these texts, nor is the start of one. */
export function startBan(texts: readonly string[], starts: readonly string[]): Ban {
  return (id) => {
    const text = texts[id] ?? '';
    return text === '' || !starts.some((start) => text.startsWith(start) || start.startsWith(text));
  };
}

/** What is still to be written of the starts after a token; null when one of them is complete. */
export function afterToken(starts: readonly string[], text: string): readonly string[] | null {
  if (starts.some((start) => text.startsWith(start))) return null;
  return starts.filter((start) => start.startsWith(text)).map((start) => start.slice(text.length));
}

const tables = new WeakMap<Tokenizer, string[]>();

/** Text of every token. */
export function textsOf(tokenizer: Tokenizer): readonly string[] {
  const known = tables.get(tokenizer);
  if (known) return known;
  const texts = Array.from({ length: tokenizer.vocabSize }, (_, id) => tokenizer.decode([id]));
  tables.set(tokenizer, texts);
  return texts;
}
