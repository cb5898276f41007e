/** What the store of runs says and asks. */
import type { RunHeader, RunRecord } from './records';
import type { BranchSummary } from './tree';

export interface StoreOptions {
  /** Name of the database. */
  name?: string;
  /** Milliseconds after which opening counts as hanging; it is used nevertheless when it succeeds later. */
  patience?: number;
}

/** A line of the list of runs. */
export interface RunSummary {
  id: string;
  title: string;
  createdAt: string;
  steps: number;
  /** In the order they were begun; empty for a run that an older page stored and nobody opened since. */
  branches: readonly BranchSummary[];
  header: RunHeader;
  /** Whether (part of) the run is in memory only and would be gone after a reload. */
  unsaved: boolean;
}

/** What to do with an imported run whose id is taken by a different run. */
export type ConflictChoice = 'skip' | 'copy' | 'replace';
export type DecideConflict = (imported: RunRecord, existing: RunRecord) => ConflictChoice | Promise<ConflictChoice>;

/** What an import did, by ids of runs. */
export interface ImportReport {
  added: string[];
  /** Already there, word for word. */
  identical: string[];
  /** Conflicts, by what was chosen. */
  skipped: string[];
  replaced: string[];
  copied: { from: string; to: string }[];
  warnings: string[];
}
