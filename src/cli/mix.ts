/**
 * The mix of the corpus: each training family's share of the trajectories. Families whose trajectories are long get less,
 * so that tokens are balanced; `npm run -s corpus -- --stats` prints what comes out.
 */
export const MIX: { readonly [family: string]: number } = {
  universe: 0.3,
  support: 0.1,
  terminal: 0.1,
};
