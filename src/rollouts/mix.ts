/**
 * The mix of the corpus: each training family's share of the trajectories. Families whose trajectories are long get less,
 * so that tokens are balanced; `npm run -s corpus -- --stats` prints what comes out.
 */
export const MIX: { readonly [family: string]: number } = {
  universe: 0.28,
  support: 0.08,
  terminal: 0.1,
  code: 0.08,
  tables: 0.06,
  office: 0.06,
  research: 0.06,
  grid: 0.08,
  webshop: 0.05,
  mechanism: 0.08,
  trading: 0.06,
};

/** The held-out procedural family: names, tools and sentences nobody has seen, in worlds of a kind that is trained on. */
const UNSEEN = { frontier: 1 };

/** Families of which not even the kind is trained on. */
const HELD_OUT = { household: 1, lab: 1, apps: 1 };

/** Families of a split with their shares of the trajectories. */
export function mixOf(split: 'train' | 'valid' | 'test' | 'unseen' | 'heldout'): { readonly [family: string]: number } {
  if (split === 'unseen') return UNSEEN;
  return split === 'heldout' ? HELD_OUT : MIX;
}
