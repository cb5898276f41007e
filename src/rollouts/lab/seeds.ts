/** What differs from seed to seed: spread, agreement, and success of several tries at one task. */
import { agreementOverSeeds, passAtK, passHatK, spreadOverSeeds, type Ratio, type Spread } from '../../metrics';
import { detailOf, type Detail, type Draws } from './detail';
import type { JobRecord } from './records';

/** One try at a task: a rollout under one seed. */
interface Try {
  seed: number;
  /** Share of exact answers; null where the twin had none. */
  exact: number | null;
  success: number | null;
  real: number | null;
  first: { call: string; answer: string } | null;
}

export interface PassRate {
  /** What a try has to come to: the task done in the lane's own state, or by the same actions in the twin. */
  of: 'success' | 'real';
  k: number;
  /** pass@k, the chance that one of k tries succeeds, and pass^k, that all do: means over the tasks with so many tries. */
  any: Detail;
  every: Detail;
}

export interface SeedTable {
  /** Tasks (a world with an agent), and seeds each has at most. */
  tasks: number;
  seeds: number;
  /** Spread over seeds of a rollout's share of exact answers, and of its success. */
  spread: { answerExact: Spread; success: Spread; real: Spread };
  /** Chance that two seeds answer the same first call of a task alike; over `n` such calls. */
  agreement: { agreement: number | null; n: number };
  passes: PassRate[];
}

/** Tries of one simulator by task. */
export class Seeds {
  readonly #tasks = new Map<string, { world: string; tries: Try[] }>();

  add({ job, sums, done, real, detail }: JobRecord): void {
    const world = `${job.family}/${job.worldSeed}/${job.difficulty}`;
    const key = `${world}/${job.agent}`;
    let task = this.#tasks.get(key);
    if (!task) this.#tasks.set(key, (task = { world, tries: [] }));
    const [sum, n] = sums['answerExact'] ?? [0, 0];
    task.tries.push({
      seed: job.seed,
      exact: n === 0 ? null : sum / n,
      success: done === null ? null : Number(done),
      real: real === null ? null : Number(real),
      first: detail?.first ?? null,
    });
  }

  /** @param order seeds as the spec has them, so that the tries of all tasks stand in one order */
  table(order: readonly number[], draws: Draws): SeedTable {
    const place = new Map(order.map((seed, i) => [seed, i]));
    const at = ({ seed }: Try) => place.get(seed) ?? order.length;
    const tasks = [...this.#tasks.values()].map(({ world, tries }) => ({
      world,
      tries: tries.toSorted((a, b) => at(a) - at(b)),
    }));
    const scores = (of: 'exact' | 'success' | 'real') =>
      tasks
        .map(({ tries }) => tries.map((one) => one[of]))
        .filter((all): all is number[] => all.every((score) => score !== null));
    const most = tasks.reduce((longest, { tries }) => Math.max(longest, tries.length), 0);
    return {
      tasks: tasks.length,
      seeds: most,
      spread: {
        answerExact: spreadOverSeeds(scores('exact')),
        success: spreadOverSeeds(scores('success')),
        real: spreadOverSeeds(scores('real')),
      },
      agreement: agreementOverSeeds(tasks.flatMap(({ tries }) => sameCalls(tries))),
      passes: (['success', 'real'] as const).flatMap((of) =>
        triesOf(most).map((k): PassRate => {
          const rate = (pass: typeof passAtK) => detailOf(clustersOf(tasks, of, k, pass), true, draws);
          return { of, k, any: rate(passAtK), every: rate(passHatK) };
        }),
      ),
    };
  }
}

/** 1, 2, 4, ... up to the number of tries, and that itself. */
function triesOf(most: number): number[] {
  const out: number[] = [];
  for (let k = 1; k < most; k *= 2) out.push(k);
  return most > 0 ? [...out, most] : out;
}

/** Answers of the seeds that were asked the same first call, call by call. */
function sameCalls(tries: readonly Try[]): string[][] {
  const calls = new Map<string, string[]>();
  for (const { first } of tries) if (first) calls.set(first.call, [...(calls.get(first.call) ?? []), first.answer]);
  return [...calls.values()];
}

/** By world, the sum of a rate over its tasks that have k tries, and their number. */
function clustersOf(
  tasks: readonly { world: string; tries: readonly Try[] }[],
  of: 'success' | 'real',
  k: number,
  pass: typeof passAtK,
): Ratio[] {
  const worlds = new Map<string, Ratio>();
  for (const { world, tries } of tasks) {
    const scores = tries.flatMap((one) => (one[of] === null ? [] : [one[of]]));
    const ratio = worlds.get(world) ?? { sum: 0, n: 0 };
    worlds.set(world, ratio);
    if (scores.length < k) continue;
    ratio.sum += pass(
      scores.length,
      scores.reduce((a, b) => a + b, 0),
      k,
    );
    ratio.n++;
  }
  return [...worlds.values()];
}
