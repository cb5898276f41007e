/** Simulators and runs for the tests of this folder. */
import { makeWorld, TwinSimulator } from '../twins';
import type { Simulator, StepOptions } from '../world/simulator';
import { NO_COST, type Draft, type Prediction } from '../world/simulator';
import { parseAnswer } from '../world/codec';
import type { Action, Context, SlotTexts, World } from '../world/types';
import type { Lane } from './lane';
import { Rollout } from './loop';
import type { RunRecord } from './records';

export const WORLD: World = makeWorld('support', 1);

/** Says what it is told to say, with one draft before it; records what it was asked. */
export class SaySimulator implements Simulator {
  readonly id = 'say';
  readonly asked: { context: Context; action: Action; options: StepOptions }[] = [];

  constructor(private readonly say: (n: number) => SlotTexts) {}

  supports(): boolean {
    return true;
  }

  async *step(context: Context, action: Action, options: StepOptions): AsyncIterable<Draft | Prediction> {
    const text = this.say(this.asked.length);
    this.asked.push({ context, action, options });
    const tokens = [{ slot: 'status' as const, id: 20, masked: false, confidence: 0.75, pass: 1 }];
    yield { kind: 'draft', tokens, text, nfe: 1 };
    const cost = { ...NO_COST, nfe: 2, generatedTokens: 9 };
    yield { kind: 'prediction', ...parseAnswer(text), text, tokens, cost, seed: options.seed };
  }
}

/** Fails at the given steps (all unless told) with the error, and answers `ok` at the others. */
export class FailSimulator extends SaySimulator {
  constructor(
    private readonly error: unknown,
    private readonly at: (step: number) => boolean = () => true,
  ) {
    super(() => ({ observation: '{"fine":1}', delta: '{"fine":1}', status: 'ok' }));
  }

  override step(context: Context, action: Action, options: StepOptions): AsyncIterable<Draft | Prediction> {
    if (this.at(options.step)) throw this.error;
    return super.step(context, action, options);
  }
}

export const twinLane = (): Lane => ({ id: 'twin', simulator: new TwinSimulator() });

export function runOf(rollout: Rollout): RunRecord {
  return { header: rollout.header, records: rollout.steps };
}

/** A run of two branches with a lane that writes rubbish now and then. */
export async function sampleRun(id: string, title = 'Sample'): Promise<RunRecord> {
  const say = new SaySimulator((n) => ({ observation: `{"n":${n}}`, delta: n % 2 ? '{' : `{"x":${n}}`, status: 'ok' }));
  const lanes = [twinLane(), { id: 'say', simulator: say }];
  const rollout = Rollout.start(WORLD, lanes, { id, title, createdAt: '2026-01-02T03:04:05.000Z' });
  const first = await rollout.step({ tool: 'nothing_like_this', args: {} });
  await rollout.step(
    { raw: 'no call at all \ud800' },
    { directives: [{ kind: 'fail', code: 'rate_limited' }], seed: 5 },
  );
  rollout.goTo(first.id);
  await rollout.step({ tool: WORLD.tools[0]?.name ?? '', args: {} }, { temperature: 0.5 });
  return runOf(rollout);
}
