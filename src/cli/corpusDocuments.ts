/** From trajectories to the documents of the corpus. Formats: docs/formats/model-folder.md. */
import {
  answerText,
  callText,
  codecJson,
  directivesText,
  encodeAnswer,
  encodeCall,
  encodeWorld,
  SLOT_SIZES,
  worldText,
  type Tokenizer,
} from '../world/codec';
import { SLOTS, type Context } from '../world/types';
import type { Trajectory, TrajectoryStep } from '../rollouts/trajectories';

/** Tokens of a document at most: a context as long as folding lets it grow, its answer, and room for rare words. */
export const MAX_DOCUMENT = 960;

/** Steps of a trajectory by the context they start from: each fold begins a new document. */
export function documents({ steps }: Trajectory): [Context, TrajectoryStep[]][] {
  const out: [Context, TrajectoryStep[]][] = [];
  for (const step of steps) {
    if (step.context.history.length === 0) out.push([step.context, []]);
    out.at(-1)?.[1].push(step);
  }
  return out;
}

/**
 * Tokens of a document, up to the first step that would break a bound of the layout.
 * @param hidden numbers of the steps whose directives are not told (for guidance)
 */
export function encodeDocument(
  context: Context,
  steps: readonly TrajectoryStep[],
  tokenizer: Tokenizer,
  hidden: ReadonlySet<number> = new Set(),
): { ids: number[]; steps: TrajectoryStep[] } {
  const ids = encodeWorld(context.world, tokenizer);
  const kept: TrajectoryStep[] = [];
  for (const [i, step] of steps.entries()) {
    const text = answerText(step.transition);
    const turn = [
      ...encodeCall(hidden.has(i) ? null : step.directives, step.action, tokenizer),
      ...encodeAnswer(text, tokenizer),
    ];
    const fits = SLOTS.every((slot) => tokenizer.encode(text[slot]).length < Math.max(...SLOT_SIZES[slot]));
    if (!fits || ids.length + turn.length > MAX_DOCUMENT) break;
    ids.push(...turn);
    kept.push(step);
  }
  return { ids, steps: kept };
}

/** A document for people, as one line of JSON. */
export function readableDocument(run: Trajectory, context: Context, steps: TrajectoryStep[]) {
  return {
    family: run.family,
    world: run.world.id,
    behaviour: run.behaviour,
    ...worldText(context.world),
    turns: steps.map(({ directives, action, transition }) => ({
      directives: directivesText(directives),
      call: callText(action),
      ...answerText(transition),
    })),
    checks: codecJson(run.world.task.checks),
  };
}
