/**
 * Grammars of answers as a matcher of bytes: what may still come is a set of stacks of terms, and taking a byte gives the
 * set behind it (derivatives, Brzozowski 1964). Sets are interned, so equal situations are one state with one number, and
 * every state can be finished: a term that cannot is never pushed.
 */

/** Code beside the bytes: the token that closes a slot. */
export const END_CODE = 256;

/**
 * One thing that has to come. Either `open` says in which ways it can be spelt, or `take` what is left of it behind a code
 * (null where the code cannot come). Terms with one key are the same term.
 */
export interface Term {
  readonly key: string;
  /** Codes it takes at least; infinite for what cannot be had. */
  readonly least: number;
  open?(): readonly (readonly Term[])[];
  take?(code: number): readonly Term[] | null;
  /** The only codes it takes, where they are few. */
  readonly codes?: readonly number[];
}

/** Terms on top of each other; null is the bottom, where nothing is left to come. */
interface Cell {
  id: number;
  term: Term;
  below: Cell | null;
  least: number;
}

/** What may come next, as a set of stacks whose top takes codes. */
export interface State {
  readonly id: number;
  /** Nothing more has to come. */
  readonly final: boolean;
  /** Codes until nothing more has to come, at least. */
  readonly least: number;
  readonly cells: readonly Cell[];
  readonly next: Map<number, State | null>;
  /** The only codes that can come, where they are few; null where any might. */
  readonly codes: readonly number[] | null;
}

/** What steps from state to state. */
export interface Machine {
  readonly start: State | null;
  /** The state behind a code; null where it cannot come. */
  step(state: State, code: number): State | null;
}

export class Matcher implements Machine {
  readonly start: State | null;
  private readonly cells = new Map<string, Cell>();
  private readonly states = new Map<string, State>();

  /** @param terms what an answer consists of, in order */
  constructor(terms: readonly Term[]) {
    this.start = this.stateOf([this.push(null, terms)]);
  }

  /** The state behind a code; null where it cannot come. */
  step(state: State, code: number): State | null {
    const known = state.next.get(code);
    if (known !== undefined) return known;
    const tops: (Cell | null)[] = [];
    for (const { term, below } of state.cells) {
      const left = term.take?.(code);
      if (left) tops.push(this.push(below, left));
    }
    const next = tops.length > 0 ? this.stateOf(tops) : null;
    state.next.set(code, next);
    return next;
  }

  private push(below: Cell | null, terms: readonly Term[]): Cell | null {
    let cell = below;
    for (const term of [...terms].reverse()) {
      const key = `${cell?.id ?? '-'} ${term.key}`;
      const known = this.cells.get(key);
      const made = known ?? { id: this.cells.size, term, below: cell, least: term.least + (cell?.least ?? 0) };
      if (!known) this.cells.set(key, made);
      cell = made;
    }
    return cell;
  }

  /** The state of these stacks, with terms that open replaced by what they open into; null when none is left. */
  private stateOf(tops: readonly (Cell | null)[]): State | null {
    const seen = new Set<Cell>();
    const cells = new Map<number, Cell>();
    let final = false;
    const look = (cell: Cell | null): void => {
      if (cell === null) {
        final = true;
        return;
      }
      if (seen.has(cell) || cell.least === Infinity) return;
      seen.add(cell);
      if (cell.term.open) for (const way of cell.term.open()) look(this.push(cell.below, way));
      else cells.set(cell.id, cell);
    };
    tops.forEach(look);
    if (!final && cells.size === 0) return null;
    const sorted = [...cells.values()].sort((a, b) => a.id - b.id);
    const key = `${final ? '!' : ''}${sorted.map(({ id }) => id).join(' ')}`;
    const known = this.states.get(key);
    if (known) return known;
    const least = final ? 0 : Math.min(...sorted.map((cell) => cell.least));
    const few = sorted.every(({ term }) => term.codes);
    const codes = few ? [...new Set(sorted.flatMap(({ term }) => term.codes ?? []))] : null;
    const state: State = { id: this.states.size, final, least, cells: sorted, next: new Map(), codes };
    this.states.set(key, state);
    return state;
  }
}

/** Two grammars that have to hold at once. Some of its states cannot be finished, so whoever walks has to look ahead. */
export class Both implements Machine {
  readonly start: State | null;
  private readonly states = new Map<string, State>();
  private readonly parts = new Map<State, readonly [State, State]>();

  constructor(
    private readonly first: Machine,
    private readonly second: Machine,
  ) {
    this.start = this.stateOf(first.start, second.start);
  }

  step(state: State, code: number): State | null {
    const known = state.next.get(code);
    if (known !== undefined) return known;
    const [a, b] = this.parts.get(state) as readonly [State, State];
    const next = this.stateOf(this.first.step(a, code), this.second.step(b, code));
    state.next.set(code, next);
    return next;
  }

  private stateOf(a: State | null, b: State | null): State | null {
    if (!a || !b) return null;
    const key = `${a.id} ${b.id}`;
    const known = this.states.get(key);
    if (known) return known;
    const codes = a.codes && b.codes ? a.codes.filter((code) => b.codes?.includes(code)) : (a.codes ?? b.codes);
    const [final, least] = [a.final && b.final, Math.max(a.least, b.least)];
    const state: State = { id: this.states.size, final, least, cells: [], next: new Map(), codes };
    this.states.set(key, state);
    this.parts.set(state, [a, b]);
    return state;
  }
}
