/** Trajectories in twins, for the corpus and for evaluation: who acts, under which directives, in which world. */
import { malformedAgent, noisyAgent, randomAgent, untilDone } from '../agents';
import { createExpert, failCodesOf, makeWorld, twinTransition } from '../twins';
import { answerText } from '../world/codec/answer';
import { currentState, FOLD_TURNS, foldIfNeeded } from '../world/codec/fold';
import { DIRECTIVE_KINDS } from '../world/directives';
import { Rng } from '../world/rng';
import type { Agent, AgentView } from '../world/simulator';
import type { Action, Context, Directive, Transition, World } from '../world/types';
import { mixOf } from './mix';

export const SPLITS = ['test', 'unseen', 'heldout', 'valid', 'train'] as const;
export type Split = (typeof SPLITS)[number];

/** One step: the context is what a model is shown before it, folded where the codec says so. */
export interface TrajectoryStep {
  directives: Directive[];
  action: Action;
  context: Context;
  transition: Transition;
}

/** One step of a split that is to be answered, with the true answer. */
export interface EvalStep {
  /** Number of the trajectory in its split, and of the step in it. */
  run: number;
  index: number;
  family: string;
  behaviour: string;
  directives: Directive[];
  action: Action;
  context: Context;
  truth: Transition;
}

export interface Trajectory {
  family: string;
  behaviour: Behaviour;
  world: World;
  steps: TrajectoryStep[];
}

const BEHAVIOURS = ['expert', 'noisy', 'random', 'malformed'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];
/** Share of the trajectories each behaviour has. */
const BEHAVIOUR_SHARES = [0.35, 0.25, 0.28, 0.12];

/** World seeds of the splits lie apart, and above those people type into the page. */
const BASE: Record<Split, number> = {
  valid: 10_000_000,
  test: 20_000_000,
  unseen: 30_000_000,
  heldout: 40_000_000,
  train: 100_000_000,
};

/**
 * The trajectory with this number; equal arguments give equal trajectories.
 * @param seed 0 to 99; other seeds have other worlds
 * @throws RangeError for numbers outside the split's range
 */
export async function trajectory(split: Split, index: number, seed: number): Promise<Trajectory> {
  const most = split === 'train' ? 10_000_000 : 100_000;
  if (!(seed >= 0 && seed < 100)) throw new RangeError(`the seed must lie between 0 and 99, not ${seed}`);
  if (!(index >= 0 && index < most)) throw new RangeError(`${split} has trajectories 0 to ${most - 1}, not ${index}`);
  const worldSeed = BASE[split] + seed * most + index;
  const rng = Rng.of('trajectory', worldSeed);
  const family = weighted(rng, Object.entries(mixOf(split)));
  const difficulty = weighted(rng, [
    [1, 0.45],
    [2, 0.35],
    [3, 0.2],
  ] as const);
  const behaviour = weighted(
    rng,
    BEHAVIOURS.map((name, i) => [name, BEHAVIOUR_SHARES[i] ?? 0] as const),
  );
  const world = withRulesOff(rng, makeWorld(family, worldSeed, difficulty));
  const steps = await walk(world, behaviour, rng, worldSeed);
  return { family, behaviour, world, steps };
}

async function walk(world: World, behaviour: Behaviour, rng: Rng, seed: number) {
  const agent = untilDone(agentOf(behaviour, world, seed), randomAgent(seed));
  const codes = failCodesOf(world.twin?.family);
  const steps: TrajectoryStep[] = [];
  const view: AgentView = { world, state: world.state, steps: [] };
  let context: Context = { world, history: [] };
  let directives: Directive[] = [];
  // Mostly as many turns as a context holds: what a model reads of a world is then paid for by more answers.
  const length = rng.pick([FOLD_TURNS - 2, FOLD_TURNS, FOLD_TURNS, 2 * FOLD_TURNS]);
  for (let i = 0; i < length; i++) {
    if (rng.chance(i === 0 ? 0.35 : 0.4)) directives = sampleDirectives(rng, codes);
    const action = await agent.act(view);
    context = foldIfNeeded(context, action, directives);
    const transition = twinTransition(context, action, directives);
    steps.push({ directives, action, context, transition });
    const turn = { directives, action, text: answerText(transition), delta: transition.delta };
    context = { world: context.world, history: [...context.history, turn] };
    view.steps = [...view.steps, { action, transition }];
    view.state = currentState(context);
  }
  return steps;
}

function agentOf(behaviour: Behaviour, world: World, seed: number): Agent {
  switch (behaviour) {
    case 'expert':
      return createExpert(world);
    case 'noisy':
      return noisyAgent(createExpert(world), 0.4, seed);
    case 'random':
      return randomAgent(seed);
    case 'malformed':
      return noisyAgent(malformedAgent(seed), 0.5, seed);
    default:
      return behaviour satisfies never;
  }
}

/** None in six of ten cases; otherwise one, seldom two. They stay until they are drawn again. */
function sampleDirectives(rng: Rng, codes: readonly string[]): Directive[] {
  if (rng.chance(0.6)) return [];
  const all: (readonly [Directive, number])[] = [
    [{ kind: 'fail', code: rng.pick(codes) }, 2],
    [{ kind: 'empty' }, 1],
    [{ kind: 'partial', n: rng.int(1, 3) }, 1.5],
    [{ kind: 'terse' }, 1],
    [{ kind: 'verbose' }, 1.5],
    [{ kind: 'scarce' }, 1],
    [{ kind: 'stale' }, 1],
    [{ kind: 'misleading' }, 1.5],
  ];
  const first = weighted(rng, all);
  if (!rng.chance(0.15)) return [first];
  return inOrder([
    first,
    weighted(
      rng,
      all.filter(([other]) => other !== first),
    ),
  ]);
}

/** Directives in the order in which they apply, as the page writes them. */
function inOrder(directives: Directive[]): Directive[] {
  const kinds = Object.keys(DIRECTIVE_KINDS);
  return directives.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

/** In one world of ten a rule is switched off. */
function withRulesOff(rng: Rng, world: World): World {
  if (world.rules.length === 0 || !rng.chance(0.1)) return world;
  const off = rng.int(0, world.rules.length - 1);
  return { ...world, rules: world.rules.map((rule, i) => (i === off ? { ...rule, enabled: false } : rule)) };
}

function weighted<T>(rng: Rng, options: readonly (readonly [T, number])[]): T {
  let left = rng.next() * options.reduce((sum, [, share]) => sum + share, 0);
  for (const [value, share] of options) {
    left -= share;
    if (left <= 0) return value;
  }
  throw new RangeError('there is nothing to choose from');
}
