/** Who acts in the run and how fast: what the agents' controls are set to, and the agent that follows from it. */
import { noisyAgent, randomAgent } from '../agents';
import {
  branchTo,
  Pace,
  stepsOf,
  type BranchSummary,
  type Rollout,
  type RunRecord,
  type RunSummary,
} from '../rollouts';
import { createExpert } from '../twins';
import type { Agent } from '../world/simulator';
import type { Action } from '../world/types';
import { count } from './text';
import { describeBranch } from './view';

export const AGENTS = [
  { kind: 'human', title: 'You', line: 'Put a call together above and press Step.' },
  { kind: 'expert', title: 'Expert', line: 'Follows a plan that fulfils the task.' },
  { kind: 'noisy', title: 'Noisy expert', line: 'The expert, with a share of its turns given to random calls.' },
  { kind: 'random', title: 'Random', line: 'Random tools with plausible arguments.' },
  { kind: 'replay', title: 'Replay', line: 'The calls of a recorded run once more, from the place this run is at.' },
] as const;
export type AgentKind = (typeof AGENTS)[number]['kind'];

/** Waits between two steps. */
export const SPEEDS = [
  { delay: 0, title: 'full' },
  { delay: 500, title: '2 a second' },
  { delay: 1000, title: '1 a second' },
  { delay: 3000, title: 'every 3 s' },
] as const;

/** A branch of a recorded run, to choose from. */
export interface Recording {
  run: string;
  leaf: string | null;
  title: string;
}

export class AgentsModel {
  kind = $state<AgentKind>('expert');
  /** Share of random turns of the noisy expert. */
  rate = $state(0.2);
  steps = $state(5);
  /** Lane whose world the agent sees; null is the leading one. */
  lane = $state<string | null>(null);
  /** Place in the list of recordings. */
  recording = $state(0);
  paused = $state(false);
  #delay = $state(0);
  readonly pace = new Pace();

  constructor() {
    this.pace.onChange = () => (this.paused = this.pace.paused);
  }

  get delay(): number {
    return this.#delay;
  }

  /** Takes effect with the next wait. */
  set delay(ms: number) {
    this.#delay = ms;
    this.pace.delay = ms;
  }

  /**
   * The agent that acts in a rollout, how many steps it can take at most, and whether a done task ends them.
   * @param record loads a recorded run
   */
  async make(
    rollout: Rollout,
    seed: number,
    recording: Recording | undefined,
    record: (id: string) => Promise<RunRecord>,
  ): Promise<{ agent: Agent; most: number; untilDone: boolean }> {
    const { kind, rate } = this;
    const free = { most: Infinity, untilDone: true };
    switch (kind) {
      case 'human':
        throw new Error('You act yourself: press Step, or choose an agent.');
      case 'expert':
        return { agent: createExpert(rollout.world), ...free };
      case 'noisy':
        return { agent: noisyAgent(createExpert(rollout.world), rate, seed), ...free };
      case 'random':
        return { agent: randomAgent(seed), ...free };
      case 'replay': {
        if (!recording) throw new Error('There is no recorded run to replay: make one first, or import one.');
        const actions = actionsOf(await record(recording.run), recording.leaf);
        const most = actions.length - rollout.branch.length;
        if (most > 0) return { agent: replayIn(rollout, actions), most, untilDone: false };
        throw new Error(
          `The recording has ${count(actions.length, 'step')}, and this run is as long already. Reset, or branch off an earlier step.`,
        );
      }
      default:
        return kind satisfies never;
    }
  }
}

/** What can be replayed: every branch of every run, newest first. */
export function recordingsOf(runs: readonly RunSummary[]): Recording[] {
  return runs.flatMap(({ id, title, branches }) =>
    branches.length > 1
      ? branches.map((branch: BranchSummary, i) => ({
          run: id,
          leaf: branch.leaf,
          title: `${title}: ${describeBranch(branch, i)}`,
        }))
      : [{ run: id, leaf: branches[0]?.leaf ?? null, title }],
  );
}

function actionsOf(run: RunRecord, leaf: string | null): Action[] {
  const steps = stepsOf(run);
  const byId = new Map(steps.map((step) => [step.id, step]));
  return branchTo(byId, leaf ?? steps.at(-1)?.id ?? null).map(({ action }) => action);
}

/** Goes by the number of the step, not by what a lane answered: a lane that failed once does not set it back. */
function replayIn(rollout: Rollout, actions: readonly Action[]): Agent {
  return { id: 'replay', act: () => Promise.resolve(actions[rollout.branch.length] as Action) };
}
