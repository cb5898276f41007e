/**
 * What a slot with pinned fields starts with: its JSON up to the first value that is not known. The text ends where the
 * pre-tokenizer splits, so it has the tokens that it has in the whole answer; the JSON punctuation behind it may run on, so of
 * that only the start is known.
 */
import type { PathStep, Pin } from './anchors';
import { codecJson } from './codec';
import type { Json } from './json';

/** A known text, what the text behind it starts with (one of these), and whether every pin stands in it. */
export interface Lead {
  text: string;
  next: readonly string[];
  whole: boolean;
}

type Node = { leaf: Json } | Branch;
type Branch = { order: string[]; members: Map<string, Node> } | { items: Map<number, Node> };

/**
 * The start of a slot with pins.
 * @param paths where each pin stands
 * @returns null when the place of one of them cannot be known, or two of them disagree on the order of keys
 */
export function leadOf(pins: readonly Pin[], paths: readonly (readonly PathStep[])[]): Lead | null {
  let root: Node | undefined;
  for (const [i, pin] of pins.entries()) {
    const next = insert(root, paths[i] ?? [], pin.value);
    if (!next) return null;
    root = next;
  }
  if (!root || 'leaf' in root) return null;
  const writer = new Writer();
  writer.write(root);
  const [, text = '', tail = ''] = /^(.*?)([{}[\]:,"]*)$/s.exec(writer.text) ?? [];
  // Behind a number or a word only punctuation can follow.
  return { text, next: tail === '' ? [',', '}', ']'] : [tail], whole: writer.leaves === pins.length };
}

/** The tree with one more value; null when it does not fit in. */
function insert(node: Node | undefined, path: readonly PathStep[], value: Json): Node | null {
  const [step, ...rest] = path;
  if (!step) return node ? null : { leaf: value };
  if ('index' in step) {
    if (node && !('items' in node)) return null;
    const item = insert(node?.items.get(step.index), rest, value);
    return item && { items: new Map(node?.items ?? []).set(step.index, item) };
  }
  if (node && !('members' in node)) return null;
  const order = [...step.before, step.key];
  if (order.includes('') || new Set(order).size < order.length) return null;
  const known = node?.order ?? [];
  const longer = order.length > known.length ? order : known;
  if (![order, known].every((one) => one.every((key, i) => key === longer[i]))) return null;
  const member = insert(node?.members.get(step.key), rest, value);
  return member && { order: longer, members: new Map(node?.members ?? []).set(step.key, member) };
}

class Writer {
  text = '';
  /** Pinned values that were written. */
  leaves = 0;

  /** Writes what is known of a value; says whether that is all of it. */
  write(node: Node): boolean {
    if ('leaf' in node) {
      this.text += codecJson(node.leaf);
      this.leaves++;
      return true;
    }
    const items = 'items' in node;
    this.text += items ? '[' : '{';
    const length = items ? Math.max(...node.items.keys()) + 1 : node.order.length;
    for (let i = 0; i < length; i++) {
      if (i > 0) this.text += ',';
      if (!items) this.text += `${codecJson(node.order[i] as string)}:`;
      const value = items ? node.items.get(i) : node.members.get(node.order[i] as string);
      if (!value || !this.write(value)) break;
    }
    // More may follow behind what is known of a list or an object.
    return false;
  }
}

/** Which of the pins can be written before anything is generated, because nothing unknown stands before them. */
export function leadingPins(pins: readonly Pin[], paths: readonly (readonly PathStep[] | null)[]): number[] {
  const chosen: number[] = [];
  for (let grown = true; grown;) {
    grown = false;
    for (const i of pins.keys()) {
      if (chosen.includes(i) || !paths[i]) continue;
      const set = [...chosen, i];
      const lead = leadOf(
        set.map((at) => pins[at] as Pin),
        set.map((at) => paths[at] as PathStep[]),
      );
      if (!lead?.whole) continue;
      chosen.push(i);
      grown = true;
    }
  }
  return chosen;
}
