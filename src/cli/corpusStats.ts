/** What the corpus consists of, family by family: `npm run -s corpus -- --stats`. */
import { EXECUTABLE } from '../twins/registry';
import { stringify } from '../world/json';
import { worldText, type Tokenizer } from '../world/codec';
import { documents, encodeDocument } from './corpusDocuments';
import { trajectory } from '../rollouts/trajectories';

export interface FamilyStats {
  heldOut: boolean;
  /** Different worlds, instructions and sets of tools among the trajectories. */
  worlds: number;
  tasks: number;
  schemas: number;
  trajectories: number;
  transitions: number;
  tokens: number;
  /** Shares of the transitions: those that are errors, change something, stand under a directive. */
  errorShare: number;
  changedShare: number;
  directiveShare: number;
}

interface Tally {
  worlds: Set<string>;
  tasks: Set<string>;
  schemas: Set<string>;
  trajectories: number;
  transitions: number;
  tokens: number;
  errors: number;
  changed: number;
  directed: number;
}

const emptyTally = (): Tally => ({
  worlds: new Set(),
  tasks: new Set(),
  schemas: new Set(),
  trajectories: 0,
  transitions: 0,
  tokens: 0,
  errors: 0,
  changed: 0,
  directed: 0,
});

/**
 * Counts of the first `size` training trajectories. Families that are held out have none, which is the point of listing
 * them.
 */
export async function corpusStats(
  size: number,
  seed: number,
  tokenizer: Tokenizer,
): Promise<{ [family: string]: FamilyStats }> {
  const tallies = new Map(EXECUTABLE.map(({ name }) => [name, emptyTally()]));
  for (let i = 0; i < size; i++) {
    const run = await trajectory('train', i, seed);
    const tally = tallies.get(run.family);
    if (!tally) continue;
    tally.worlds.add(run.world.id);
    tally.tasks.add(run.world.task.instruction);
    tally.schemas.add(worldText(run.world).tools);
    tally.trajectories++;
    for (const [context, steps] of documents(run)) {
      const kept = encodeDocument(context, steps, tokenizer);
      tally.tokens += kept.ids.length;
      for (const { transition, directives } of kept.steps) {
        tally.transitions++;
        if (transition.status !== 'ok') tally.errors++;
        if (stringify(transition.delta) !== '{}') tally.changed++;
        if (directives.length > 0) tally.directed++;
      }
    }
  }
  return Object.fromEntries(
    EXECUTABLE.map(({ name, heldOut }) => [name, summary(heldOut, tallies.get(name) ?? emptyTally())]),
  );
}

function summary(heldOut: boolean, tally: Tally): FamilyStats {
  const share = (n: number) => (tally.transitions === 0 ? 0 : Math.round((1000 * n) / tally.transitions) / 1000);
  return {
    heldOut,
    worlds: tally.worlds.size,
    tasks: tally.tasks.size,
    schemas: tally.schemas.size,
    trajectories: tally.trajectories,
    transitions: tally.transitions,
    tokens: tally.tokens,
    errorShare: share(tally.errors),
    changedShare: share(tally.changed),
    directiveShare: share(tally.directed),
  };
}

/** The counts as a table of text, a line for each family. */
export function statsTable(stats: { [family: string]: FamilyStats }): string {
  const total = Object.values(stats).reduce((sum, { tokens }) => sum + tokens, 0);
  const header = [
    'family',
    'worlds',
    'tasks',
    'schemas',
    'trajectories',
    'transitions',
    'tokens',
    'tokens %',
    'errors',
    'changed',
    'directed',
  ];
  const rows = Object.entries(stats).map(([name, one]) =>
    [
      one.heldOut ? `${name} (held out)` : name,
      ...[one.worlds, one.tasks, one.schemas, one.trajectories, one.transitions, one.tokens],
      ((100 * one.tokens) / total).toFixed(1),
      ...[one.errorShare, one.changedShare, one.directiveShare].map((share) => share.toFixed(3)),
    ].map(String),
  );
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  return [header, ...rows]
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .join('\n')
    .concat('\n');
}
