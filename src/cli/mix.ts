/**
 * The mix of the corpus: each training family's share of the trajectories. Families whose trajectories are long get less,
 * so that tokens are balanced; `npm run -s corpus -- --stats` prints what comes out.
 */
export const MIX: { readonly [family: string]: number } = {
  universe: 0.3,
  support: 0.1,
  terminal: 0.1,
  tables: 0.07,
  code: 0.07,
  office: 0.07,
  research: 0.07,
  grid: 0.07,
  webshop: 0.07,
  mechanism: 0.07,
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
