/**
 * Worlds from solved models: the optimum is known, so what an agent falls short of it is (`regret` in `src/world/checks.ts`).
 * A world's spec names the model and the cover story; every figure is in the state or in the rules.
 */
import { get, type JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Family } from '../kit/types';
import { knapsack } from './knapsack';
import { newsvendor } from './newsvendor';
import { queue } from './queue';
import { schedule } from './schedule';
import type { Model } from './shared';
import { stock } from './stock';

/** The models by their names. */
export const MODELS: { readonly [name: string]: Model } = { newsvendor, stock, knapsack, schedule, queue };

function modelOf(spec: JsonObject | undefined): { name: string; model: Model; story: string } {
  const name = String(get(spec ?? {}, 'model'));
  const model = Object.hasOwn(MODELS, name) ? MODELS[name] : undefined;
  const story = get(spec ?? {}, 'story');
  if (!model || typeof story !== 'string') throw new Error('the spec names no model of this family');
  return { name, model, story };
}

export const mechanism: Family = {
  name: 'mechanism',
  title: 'Mechanisms',
  line: 'Solved models under cover stories: stock, packing, scheduling, queues. How close to the optimum?',
  heldOut: false,
  failCodes: ['busy', 'timeout', 'unavailable', 'locked'],
  program: (spec) => {
    const { model, story } = modelOf(spec);
    return model.program(story);
  },
  generate: (rng: Rng, difficulty) => {
    const name = rng.pick(Object.keys(MODELS));
    const model = MODELS[name] as Model;
    const story = rng.pick(model.stories);
    return { ...model.generate(rng.fork('model'), difficulty, story), spec: { model: name, story } };
  },
  tasks: (world) => {
    const { name, model, story } = modelOf(world.spec);
    return Object.fromEntries(
      Object.entries(model.tasks(world, story)).map(([goal, make]) => [`${name}_${goal}`, make]),
    );
  },
};
