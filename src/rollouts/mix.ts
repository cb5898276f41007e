/** What models are measured on: each training family's share of the trajectories. Families whose trajectories are long have less. */
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

/**
 * What they are trained on (`npm run -s corpus -- --stats` prints what comes out): the families that pair v5 answered worst
 * have more than in the measure (docs/decisions/0008-training-one-change-at-a-time.md).
 */
const TRAIN_MIX: typeof MIX = {
  universe: 0.16,
  wild: 0.18,
  support: 0.045,
  terminal: 0.055,
  code: 0.06,
  tables: 0.1,
  office: 0.04,
  research: 0.04,
  grid: 0.1,
  webshop: 0.06,
  mechanism: 0.1,
  trading: 0.08,
};

/** The held-out procedural family: names, tools and sentences nobody has seen, in worlds of a kind that is trained on. */
const UNSEEN = { frontier: 1 };

/** Families of which not even the kind is trained on. */
const HELD_OUT = { household: 1, lab: 1, apps: 1 };

/** Families of a split with their shares of the trajectories. */
export function mixOf(split: 'train' | 'valid' | 'test' | 'unseen' | 'heldout'): { readonly [family: string]: number } {
  if (split === 'unseen') return UNSEEN;
  if (split === 'heldout') return HELD_OUT;
  return split === 'train' ? TRAIN_MIX : MIX;
}
