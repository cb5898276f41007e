/** Exact solver: dynamic programming over the moves of a model, which use the same arithmetic as its tools. */
import type { Action } from '../../world/types';

/** One decision: the calls that make it, what the ledger gains by it, and where it leads. */
export interface Move<S> {
  calls: Action[];
  gain: number;
  next: S;
}

/** Moves in a state; `end` where nothing is left to decide. A state that is no end and has no moves is a dead end. */
export type Moves<S> = (state: S) => readonly Move<S>[] | 'end';

export interface Solution {
  gain: number;
  calls: Action[];
}

/** The best way to an end and what it gains, or null when there is none. Among equals the first move wins. */
export function solve<S>(start: S, moves: Moves<S>): Solution | null {
  const known = new Map<string, { gain: number; move: Move<S> | null }>();
  const value = (state: S): { gain: number; move: Move<S> | null } => {
    const key = JSON.stringify(state);
    const old = known.get(key);
    if (old) return old;
    const all = moves(state);
    let best: { gain: number; move: Move<S> | null } = { gain: all === 'end' ? 0 : -Infinity, move: null };
    for (const move of all === 'end' ? [] : all) {
      const gain = move.gain + value(move.next).gain;
      if (gain > best.gain) best = { gain, move };
    }
    known.set(key, best);
    return best;
  };
  const { gain } = value(start);
  if (gain === -Infinity) return null;
  const calls: Action[] = [];
  for (let move = value(start).move; move; move = value(move.next).move) calls.push(...move.calls);
  return { gain, calls };
}

/** What an agent gains that looks no further than its next move; -Infinity when it gets stuck. */
export function greedy<S>(start: S, moves: Moves<S>): number {
  let gain = 0;
  for (let all = moves(start); all !== 'end';) {
    const best = all.reduce<Move<S> | null>((top, move) => (top && top.gain >= move.gain ? top : move), null);
    if (!best) return -Infinity;
    gain += best.gain;
    all = moves(best.next);
  }
  return gain;
}

/** Whether the best an agent can do beats one that looks no further than its next move: otherwise a world is too easy. */
export function rewardsForesight<S>(start: S, moves: Moves<S>): boolean {
  return (solve(start, moves)?.gain ?? -Infinity) > greedy(start, moves);
}
