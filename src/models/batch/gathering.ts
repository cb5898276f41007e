/** Lanes that run side by side and share their forward passes: what they ask for is run together once all of them wait. */

interface Waiting<Request, Answer> {
  lane: number;
  request: Request;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

export class Gathering<Request, Answer> {
  private readonly lanes = new Set<number>();
  private waiting: Waiting<Request, Answer>[] = [];

  /** @param run answers requests together, in their order; called again only after it has answered */
  constructor(private readonly run: (requests: readonly Request[]) => Promise<Answer[]>) {}

  /** A lane begins: nothing is run until it asks or leaves. */
  enter(lane: number): void {
    this.lanes.add(lane);
  }

  /** A lane is done; the others no longer wait for it. */
  leave(lane: number): void {
    this.lanes.delete(lane);
    this.runWhenAllWait();
  }

  /** Asks for a lane and waits for the answer. One request of a lane at a time. */
  ask(lane: number, request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ lane, request, resolve, reject });
      this.runWhenAllWait();
    });
  }

  private runWhenAllWait(): void {
    if (this.waiting.length === 0 || this.waiting.length < this.lanes.size) return;
    // In the order of the lanes, so that what is kept from pass to pass finds the same rows.
    const asked = this.waiting.sort((a, b) => a.lane - b.lane);
    this.waiting = [];
    this.run(asked.map(({ request }) => request)).then(
      (answers) => asked.forEach(({ resolve }, i) => resolve(answers[i] as Answer)),
      (reason: unknown) => asked.forEach(({ reject }) => reject(reason)),
    );
  }
}

/**
 * Runs work for `count` lanes, at most `width` at a time; a lane that ends makes room for the next. Lanes enter the
 * gathering before any of them runs, so that the first passes are shared.
 * @param work of a lane; what it rejects with is kept, unless `fatal` says that the others cannot go on
 * @throws the first fatal reason, after every lane that was at work has ended
 */
export async function runLanes<T>(
  count: number,
  width: number,
  gathering: Pick<Gathering<unknown, unknown>, 'enter' | 'leave'>,
  work: (lane: number) => Promise<T>,
  fatal: (reason: unknown) => boolean,
): Promise<PromiseSettledResult<T>[]> {
  const out: PromiseSettledResult<T>[] = [];
  let [next, broken]: [number, { reason: unknown } | null] = [0, null];
  const one = async (lane: number): Promise<void> => {
    try {
      out[lane] = { status: 'fulfilled', value: await work(lane) };
    } catch (reason) {
      out[lane] = { status: 'rejected', reason };
      if (fatal(reason)) broken ??= { reason };
    }
    // The next lane enters before this one leaves: otherwise a pass would start without it.
    const follower = broken === null && next < count ? next++ : null;
    if (follower !== null) gathering.enter(follower);
    gathering.leave(lane);
    if (follower !== null) await one(follower);
  };
  const first: number[] = [];
  while (next < Math.min(width, count)) {
    gathering.enter(next);
    first.push(next++);
  }
  await Promise.all(first.map(one));
  if (broken !== null) throw (broken as { reason: unknown }).reason;
  return out;
}
