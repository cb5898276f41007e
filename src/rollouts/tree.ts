/** The branches of a run, and the runs that began in another: what a list of runs shows as a tree. */
import { isStep, type StepRecord, type TraceRecord } from './records';

/** One way from the start of a run to a step that nothing follows. */
export interface BranchSummary {
  /** Id of its last step. */
  leaf: string;
  /** Steps from the start to the leaf. */
  steps: number;
  /** The branch it came off, by its place in the list, and the number of steps the two share; null for the first. */
  off: { branch: number; shared: number } | null;
}

/**
 * The branches of a run, in the order in which they were begun. What was recorded first after a step goes on with its
 * branch; every later step with the same parent begins one of its own. Records that are no steps are passed over.
 */
export function branchesOf(records: readonly TraceRecord[]): BranchSummary[] {
  const out: BranchSummary[] = [];
  /** The branch a step lies on, and whether something follows it. */
  const seen = new Map<string | null, { branch: number; followed: boolean }>();
  for (const { id, parentId, index } of records.filter(isStep) as readonly StepRecord[]) {
    const parent = seen.get(parentId);
    const summary = parent && !parent.followed ? out[parent.branch] : undefined;
    if (parent && summary) {
      parent.followed = true;
      summary.leaf = id;
      summary.steps = index + 1;
      seen.set(id, { branch: parent.branch, followed: false });
      continue;
    }
    if (!parent) seen.set(parentId, { branch: out.length, followed: true });
    seen.set(id, { branch: out.length, followed: false });
    out.push({ leaf: id, steps: index + 1, off: parent ? { branch: parent.branch, shared: index } : null });
  }
  return out;
}

/** A branch, its place in the order in which they were begun, and how deep it stands below the first. */
export interface BranchEntry {
  branch: BranchSummary;
  place: number;
  depth: number;
}

/** Branches as a tree: each followed by those that came off it, by where they came off. @param branches those of `branchesOf` */
export function treeOfBranches(branches: readonly BranchSummary[]): BranchEntry[] {
  const out: BranchEntry[] = [];
  const place = (i: number, depth: number): void => {
    const branch = branches[i];
    if (!branch) return;
    out.push({ branch, place: i, depth });
    const children = branches.flatMap(({ off }, j) => (off?.branch === i && j > i ? [{ j, shared: off.shared }] : []));
    for (const { j } of children.sort((a, b) => a.shared - b.shared)) place(j, depth + 1);
  };
  branches.forEach(({ off }, i) => off === null && place(i, 0));
  return out;
}

/** A run and how deep it stands below the one it came from. */
export interface TreeEntry<T> {
  run: T;
  depth: number;
}

/**
 * Runs in the order given, each followed by those that began in it. A run whose origin is not in the list (deleted, or in
 * another browser) stands at the top, and so does one of a circle, which only a file written by hand can make.
 */
export function treeOfRuns<T extends { id: string; header: { from?: { run: string } } }>(
  runs: readonly T[],
): TreeEntry<T>[] {
  const known = new Set(runs.map(({ id }) => id));
  const out: TreeEntry<T>[] = [];
  const placed = new Set<string>();
  const place = (run: T, depth: number): void => {
    if (placed.has(run.id)) return;
    placed.add(run.id);
    out.push({ run, depth });
    for (const child of runs) if (child.header.from?.run === run.id) place(child, depth + 1);
  };
  for (const run of runs) if (run.header.from === undefined || !known.has(run.header.from.run)) place(run, 0);
  for (const run of runs) place(run, 0);
  return out;
}
