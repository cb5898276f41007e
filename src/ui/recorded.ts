/** What is done with recorded runs: opening them, also after a reload, deleting them, and files in and out. */
import { stepsOf, type RunRecord } from '../rollouts';
import type { World } from '../world/types';
import type { Notices } from './notices.svelte';
import type { RunModel } from './run.svelte';
import { describeImport, type Runs } from './runs.svelte';
import { rememberedRun } from './session';

/** The part of the page that shows runs. */
export interface Stage {
  readonly run: RunModel;
  /** Goes on from a step of the open run. */
  branch(step: string): void;
  /** Shows a recorded run at a step of it (the last unless told). */
  openRun(run: RunRecord, step?: string): void;
  /** A new run. */
  start(world: World): void;
}

export class Recorded {
  constructor(
    private readonly runs: Runs,
    private readonly notices: Notices,
    private readonly stage: Stage,
  ) {}

  /** Opens a recorded run at a step of it (the last unless told). Says what went wrong; never rejects. */
  async open(id: string, step?: string): Promise<void> {
    if (step !== undefined && id === this.stage.run.rollout.header.id) this.stage.branch(step);
    else await this.notices.tell(async () => this.stage.openRun(await this.runs.load(id), step));
  }

  /** After a reload: the run this tab had open. Whoever acts first keeps what is on the page. */
  async restore(): Promise<void> {
    const { run } = this.stage;
    const open = rememberedRun();
    await this.notices.tell(async () => {
      await this.runs.refresh();
      if (open === null || !this.runs.list.some((entry) => entry.id === open.run)) return;
      const record = await this.runs.load(open.run);
      const untouched = this.stage.run === run && run.rows.length === 0 && !run.busy;
      if (untouched) this.stage.openRun(record, open.step ?? undefined);
    });
  }

  async delete(id: string): Promise<void> {
    if (this.stage.run.busy) return;
    await this.notices.tell(async () => {
      await this.runs.delete(id);
      if (this.stage.run.rollout.header.id === id) this.stage.start(this.stage.run.world);
    });
  }

  /** Imports files; a single new run is opened at once. */
  async import(files: Iterable<Blob>): Promise<void> {
    for (const file of files) {
      await this.notices.tell(async () => {
        const report = await this.runs.import(await file.text());
        this.notices.add('info', describeImport(report));
        for (const warning of report.warnings) this.notices.add('warn', warning);
        const [only, ...more] = [...report.added, ...report.copied.map(({ to }) => to)];
        if (only !== undefined && more.length === 0) await this.open(only);
      });
    }
  }

  /** Runs an export and hands the text over, or says why there is none. */
  async export(id: string | 'all', take: (text: string, name: string) => void): Promise<void> {
    await this.notices.tell(async () => {
      const { text, name } = await this.runs.export(id);
      take(text, name);
    });
  }
}

/** The step of a run with this id, or its last one; undefined for a run without steps. */
export function stepOf(run: RunRecord, id: string | undefined) {
  const steps = stepsOf(run);
  return steps.find((step) => step.id === id) ?? steps.at(-1);
}
