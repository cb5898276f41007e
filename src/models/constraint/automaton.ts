/** A slot's grammar over the tokens of a vocabulary: which may come in a state, and where each leads. States are numbers. */
import { END, FIRST_TEXT, type Tokenizer } from '../../world/codec';
import { BpeTokenizer } from '../tokenizer/bpe';
import { Both, END_CODE, Matcher, type Machine, type State, type Term } from './grammar';
import { bytesOf, slotEnd } from './terms';

/** Where a state leads: the i-th set of tokens to the i-th state. */
export interface Edges {
  to: Int32Array;
  sets: Int32Array;
}

/** Tokens by their bytes. */
interface Node {
  ids: number[];
  below: Map<number, Node>;
}

/** A vocabulary for walking: all tokens, those with a byte that ends or escapes something, and the others. */
interface Vocabulary {
  bytes: string[];
  all: Node;
  special: Node;
  plain: number[];
}

const vocabularies = new WeakMap<Tokenizer, Vocabulary>();
/** Quotes, backslashes and control characters. */
// eslint-disable-next-line no-control-regex
const SPECIAL = /["\\\u0000-\u001f]/;
const PLAIN_BYTE = 0x61;

export class TokenAutomaton {
  /** Number of the first state; -1 where there is no answer at all. */
  readonly start: number;
  private readonly matcher: Machine;
  private readonly states: State[] = [];
  private readonly numbers = new Map<State, number>();
  private readonly edges: (Edges | undefined)[] = [];
  private readonly setsByHash = new Map<number, number[]>();
  private readonly tokenSets: Int32Array[] = [];
  private readonly vocabulary: Vocabulary;

  /** @param term what the slot holds before its `<end>`, or two automata of which both have to hold */
  constructor(term: Term | readonly [TokenAutomaton, TokenAutomaton], tokenizer: Tokenizer) {
    this.matcher = 'key' in term ? new Matcher([term, slotEnd]) : new Both(term[0].matcher, term[1].matcher);
    this.vocabulary = vocabularyOf(tokenizer);
    this.start = this.matcher.start ? this.numberOf(this.matcher.start) : -1;
  }

  /** States known so far. */
  get size(): number {
    return this.states.length;
  }

  /** Sets of tokens known so far. */
  get setCount(): number {
    return this.tokenSets.length;
  }

  /** The slot is over: its `<end>` has come. */
  isOver(state: number): boolean {
    return (this.states[state] as State).final;
  }

  /** Tokens until the slot is over, at most, on the shortest way: every byte is a token. */
  least(state: number): number {
    return (this.states[state] as State).least;
  }

  /** Tokens of a set. */
  tokens(set: number): Int32Array {
    return this.tokenSets[set] as Int32Array;
  }

  /** All ways on from a state. */
  from(state: number): Edges {
    return (this.edges[state] ??= this.walk(this.states[state] as State));
  }

  /** The state behind one token; -1 where it cannot come. */
  step(state: number, token: number): number {
    let at: State | null = this.states[state] as State;
    if (token === END) at = this.matcher.step(at, END_CODE);
    else {
      const bytes = this.vocabulary.bytes[token] ?? '';
      if (bytes === '') return -1;
      for (let i = 0; at && i < bytes.length; i++) at = this.matcher.step(at, bytes.charCodeAt(i));
    }
    return at ? this.numberOf(at) : -1;
  }

  private walk(state: State): Edges {
    const found = new Map<State, number[]>();
    const put = (to: State, ids: readonly number[]) => {
      const list = found.get(to);
      if (list) for (const id of ids) list.push(id);
      else found.set(to, [...ids]);
    };
    const down = (node: Node, at: State) => {
      for (const byte of at.codes ?? node.below.keys()) {
        const next = node.below.get(byte);
        const to = next && this.matcher.step(at, byte);
        if (!to) continue;
        if (next.ids.length > 0) put(to, next.ids);
        down(next, to);
      }
    };
    // Inside of strings and texts all plain tokens stay where they are, which is most of the vocabulary.
    const free = !state.codes && this.matcher.step(state, PLAIN_BYTE) === state && this.isFree(state);
    if (free) put(state, this.vocabulary.plain);
    down(free ? this.vocabulary.special : this.vocabulary.all, state);
    const end = this.matcher.step(state, END_CODE);
    if (end) put(end, [END]);
    return {
      to: Int32Array.from([...found.keys()].map((to) => this.numberOf(to))),
      sets: Int32Array.from([...found.values()].map((ids) => this.setOf(ids))),
    };
  }

  /** Whether every byte that is not special leads back to the state. */
  private isFree(state: State): boolean {
    for (let byte = 0x20; byte < 256; byte++) {
      if (byte !== 0x22 && byte !== 0x5c && this.matcher.step(state, byte) !== state) return false;
    }
    return true;
  }

  private numberOf(state: State): number {
    const known = this.numbers.get(state);
    if (known !== undefined) return known;
    this.numbers.set(state, this.states.length);
    this.states.push(state);
    return this.states.length - 1;
  }

  private setOf(ids: readonly number[]): number {
    const sorted = Int32Array.from(ids).sort();
    const hash = sorted.reduce((sum, id) => (Math.imul(sum, 31) + id) | 0, sorted.length);
    const alike = this.setsByHash.get(hash) ?? [];
    const known = alike.find((set) => isSame(this.tokens(set), sorted));
    if (known !== undefined) return known;
    this.setsByHash.set(hash, [...alike, this.tokenSets.length]);
    this.tokenSets.push(sorted);
    return this.tokenSets.length - 1;
  }
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}

function vocabularyOf(tokenizer: Tokenizer): Vocabulary {
  const known = vocabularies.get(tokenizer);
  if (known) return known;
  const bytes = Array.from({ length: tokenizer.vocabSize }, (_, id) => tokenBytes(tokenizer, id));
  const made: Vocabulary = { bytes, all: newNode(), special: newNode(), plain: [] };
  bytes.forEach((text, id) => {
    if (text === '') return;
    insert(made.all, text, id);
    if (SPECIAL.test(text)) insert(made.special, text, id);
    else made.plain.push(id);
  });
  vocabularies.set(tokenizer, made);
  return made;
}

function newNode(): Node {
  return { ids: [], below: new Map() };
}

function insert(root: Node, bytes: string, id: number): void {
  let node = root;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    const next = node.below.get(byte) ?? newNode();
    node.below.set(byte, next);
    node = next;
  }
  node.ids.push(id);
}

function tokenBytes(tokenizer: Tokenizer, id: number): string {
  if (id < FIRST_TEXT) return '';
  if (tokenizer instanceof BpeTokenizer) return String.fromCharCode(...tokenizer.tokenBytes(id));
  // A part of a character has no text of its own.
  const text = tokenizer.decode([id]);
  return text.includes('\ufffd') ? '' : bytesOf(text);
}
