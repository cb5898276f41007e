/** Whether what works in the model's world works in the twin's. */
import { BOOTSTRAP, bootstrap95, resample, type Interval, type Ratio } from '../statistics';

/** One task, tried three ways by the same agent with the same seed. */
export interface TaskTrial {
  /** Runs of one world go together; intervals resample these. */
  episode: string;
  /** The agent acted in the twin and reached the goal there. */
  real: boolean;
  /** The agent acted in the model's world, whose state says the goal is reached. */
  model: boolean;
  /** The actions taken in the model's world, replayed in the twin, reach the goal there. */
  replayed: boolean;
}

/** A share with its denominator and the bootstrap interval over episodes. */
export interface Share extends Ratio {
  share: number | null;
  interval: Interval | null;
}

export interface Consistency {
  /** Success in the twin, in the model's world, and of the model's actions in the twin (Word2World: Real, WM, W2R). */
  real: Share;
  model: Share;
  modelToReal: Share;
  /** Of the tasks the model says are done, those whose actions work in the twin as well: how far it can be trusted. */
  confirmed: Share;
  /** W2R over Real; may exceed 1 (arXiv 2512.18832). Null, or without interval, where no task succeeds in the twin. */
  ratio: Share;
  /** Tasks on which model and twin agree about success after the same actions. */
  agreement: Share;
}

/** Consistency ratio of task success and what belongs to it; all of them over the same tasks. */
export function consistency(trials: readonly TaskTrial[]): Consistency {
  const episodes = [...new Set(trials.map(({ episode }) => episode))];
  const draws = resample(episodes.length, BOOTSTRAP.count, BOOTSTRAP.seed);
  const share = (sum: (trial: TaskTrial) => boolean, n: (trial: TaskTrial) => boolean = () => true): Share => {
    const clusters = episodes.map((episode) => {
      const here = trials.filter((trial) => trial.episode === episode);
      return { sum: here.filter(sum).length, n: here.filter(n).length };
    });
    const total = clusters.reduce((a, b) => ({ sum: a.sum + b.sum, n: a.n + b.n }), { sum: 0, n: 0 });
    return { ...total, share: total.n === 0 ? null : total.sum / total.n, interval: bootstrap95(clusters, draws) };
  };
  return {
    real: share(({ real }) => real),
    model: share(({ model }) => model),
    modelToReal: share(({ replayed }) => replayed),
    confirmed: share(
      ({ model, replayed }) => model && replayed,
      ({ model }) => model,
    ),
    ratio: share(
      ({ replayed }) => replayed,
      ({ real }) => real,
    ),
    agreement: share(({ model, replayed }) => model === replayed),
  };
}
