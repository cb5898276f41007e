/**
 * A slot written up to its pins: texts that are known, with gaps for the values before them that are not. Texts begin and
 * end where the pre-tokenizer splits, so each has the tokens that it has in the whole answer; the JSON punctuation behind a
 * text may run on, so of it only the start is known.
 */
import type { PathStep, Pin } from './anchors';
import { codecJson } from './codec';
import type { Json } from './json';

/** A known text, and what the text behind it starts with (one of these). */
export interface Segment {
  text: string;
  next: readonly string[];
}

/** Segments in order. Between two there is a gap, which ends in a quote: every segment but the first opens with a key. */
export type Skeleton = readonly [Segment, ...Segment[]];

type Node = { leaf: Json } | Branch;
type Branch = { order: string[]; members: Map<string, Node> } | { item: Node };

/**
 * The skeleton of pins of one slot.
 * @param paths where each pin stands
 * @returns null when the place of one of them cannot be known, or two of them disagree on the order of keys
 */
export function skeletonOf(pins: readonly Pin[], paths: readonly (readonly PathStep[])[]): Skeleton | null {
  let root: Node | undefined;
  for (const [i, pin] of pins.entries()) {
    const next = insert(root, paths[i] ?? [], pin.value);
    if (!next) return null;
    root = next;
  }
  if (!root || 'leaf' in root) return null;
  const writer = new Writer();
  writer.write(root);
  return writer.end();
}

/** The tree with one more value; null when it does not fit in. */
function insert(node: Node | undefined, path: readonly PathStep[], value: Json): Node | null {
  const [step, ...rest] = path;
  if (!step) return node ? null : { leaf: value };
  if ('index' in step) {
    // What stands before a later item is not known, not even its keys.
    if (step.index !== 0 || (node && !('item' in node))) return null;
    const item = insert(node?.item, rest, value);
    return item && { item };
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
  private readonly segments: Segment[] = [];
  private text = '';
  private afterGap = false;

  write(node: Node): void {
    if ('leaf' in node) {
      this.text += codecJson(node.leaf);
    } else if ('item' in node) {
      this.text += '[';
      this.write(node.item);
    } else {
      this.text += '{';
      node.order.forEach((key, i) => this.member(key, node.members.get(key), i, node.order.length));
    }
  }

  private member(key: string, value: Node | undefined, i: number, length: number): void {
    const name = codecJson(key);
    if (this.afterGap) this.text += name.slice(1);
    else this.text += i > 0 ? `,${name}` : name;
    this.afterGap = false;
    this.text += ':';
    if (value) this.write(value);
    // Behind an unknown value, and behind a value that goes on after what is known of it.
    if (i < length - 1 && !(value && 'leaf' in value)) this.gap();
  }

  private gap(): void {
    const [, text = '', tail = ''] = /^(.*?)([{}[\]:,"]*)$/s.exec(this.text) ?? [];
    // Behind a number or a word only punctuation can follow.
    this.segments.push({ text, next: tail === '' ? [',', '}', ']'] : [tail] });
    this.text = '';
    this.afterGap = true;
  }

  end(): Skeleton {
    this.gap();
    return this.segments as unknown as Skeleton;
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
      const skeleton = skeletonOf(
        set.map((at) => pins[at] as Pin),
        set.map((at) => paths[at] as PathStep[]),
      );
      if (skeleton?.length !== 1) continue;
      chosen.push(i);
      grown = true;
    }
  }
  return chosen;
}
