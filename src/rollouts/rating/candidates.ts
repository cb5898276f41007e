/** What can be rated in recorded runs: every answer with the prompt it stands behind, and every lane's way through a branch. */
import { noTruthReason, twinTransition } from '../../twins';
import { CODEC_VERSION, answerText, callText, directivesText, visibleContext } from '../../world/codec';
import { canonical, type Json } from '../../world/json';
import { DEFAULT_STEP_OPTIONS } from '../../world/simulator';
import type { Action, Context, Directive, SlotTexts } from '../../world/types';
import { TWIN_LANE } from '../loop';
import { promptText, worldPrompt } from '../prompt';
import { asJson, branchTo, contextAfter, stepsOf, type LaneResult, type RunRecord, type StepRecord } from '../records';
import { branchesOf } from '../tree';
import { digest } from './digest';
import type { Author, RatedItem, RatedTurn, RatingSet } from './types';

/** An answer or a rollout that can be one side of a pair. */
export interface Candidate {
  item: RatedItem;
  /** Lane of the run that wrote it. */
  lane: string;
  /** Only candidates of one group are held against one another. */
  group: string;
  prompt: string;
  /** The twin's turns in the same situation; null where nobody knows them. */
  truth: () => RatedTurn[] | null;
}

/** What the twin is called as an author, wherever its answer comes from. */
export const TWIN: Author = { name: 'twin', model: null };

/** What the lab adds to a header; of the situation of a rollout everything but the simulator. */
interface LabSituation {
  history?: 'free' | 'teacher';
  [member: string]: Json | undefined;
}

/**
 * The candidates of a run. Lanes whose machinery failed, and runs of another codec, have none.
 * @param kind answers: one for each lane and step; rollouts: one for each lane and branch of at least two steps
 */
export async function candidatesOf(run: RunRecord, kind: RatingSet['kind']): Promise<Candidate[]> {
  if (run.header.codec !== CODEC_VERSION) return [];
  const steps = new Map(stepsOf(run).map((step) => [step.id, step]));
  const models = await Promise.all(run.header.models.map(({ files }) => digest(canonical(asJson(files)))));
  const author = (lane: string, result: LaneResult): Author => {
    if (result.model === null) {
      const { simulator = lane } = run.header.lanes.find(({ id }) => id === lane) ?? {};
      return simulator === TWIN.name ? TWIN : { name: simulator, model: null };
    }
    const info = run.header.models[result.model];
    const name = [info ? `${info.id} ${info.version}` : lane, ...settingsOf(result)].join(', ');
    return { name, model: models[result.model] ?? null };
  };
  if (kind === 'answer') return [...steps.values()].flatMap((step) => answersAt(run, steps, step, author));
  return branchesOf(run.records).flatMap(({ leaf }) => rolloutsTo(run, branchTo(steps, leaf), author));
}

type AuthorOf = (lane: string, result: LaneResult) => Author;

function answersAt(
  run: RunRecord,
  steps: ReadonlyMap<string, StepRecord>,
  step: StepRecord,
  author: AuthorOf,
): Candidate[] {
  const { world, id } = run.header;
  const before = branchTo(steps, step.parentId);
  const { action, directives } = step;
  const teacher = labOf(run)?.history === 'teacher' ? TWIN_LANE : null;
  return Object.entries(step.results).flatMap(([lane, result]) => {
    if (!result.prediction) return [];
    // Under a teacher every lane was shown the twin's history, whatever stands in its own record.
    const context = contextAfter(world, before, teacher ?? lane);
    const prompt =
      (teacher ? null : result.prompt?.text) ??
      promptText(visibleContext(context, action, directives), action, directives);
    const turns = [turnOf(action, directives, result.prediction.text)];
    const item = { by: author(lane, result), run: id, step: step.id, turns };
    return [{ item, lane, group: prompt, prompt, truth: () => truthAt(context, [step]) }];
  });
}

function rolloutsTo(run: RunRecord, branch: readonly StepRecord[], author: AuthorOf): Candidate[] {
  const { world, id, lanes } = run.header;
  const lab = labOf(run);
  const leaf = branch.at(-1);
  // Answers to the twin's history are no rollout of the lane.
  if (!leaf || branch.length < 2 || lab?.history === 'teacher') return [];
  const prompt = worldPrompt(world);
  return lanes.flatMap(({ id: lane }) => {
    const results = branch.map((step) => step.results[lane]);
    const [first] = results;
    if (!first?.prediction || results.some((result) => !result?.prediction)) return [];
    const by = author(lane, first);
    // A lane whose settings were changed on the way has no one name.
    if (results.some((result) => result && sameAuthor(author(lane, result), by) === false)) return [];
    const turns = branch.map(({ action, directives }, i) =>
      turnOf(action, directives, results[i]?.prediction?.text as SlotTexts),
    );
    const { index: _, id: __, simulator: ___, ...situation } = lab ?? { run: id, leaf: leaf.id };
    const item = { by, run: id, step: leaf.id, turns };
    const group = canonical({ prompt, situation: asJson(situation) });
    return [{ item, lane, group, prompt, truth: () => truthAt({ world, history: [] }, branch) }];
  });
}

/** The twin's answers to calls, each after its own answers to those before. */
function truthAt(context: Context, steps: readonly Pick<StepRecord, 'action' | 'directives'>[]): RatedTurn[] | null {
  if (noTruthReason(context.world) !== null) return null;
  const { world } = context;
  const history = [...context.history];
  return steps.map(({ action, directives }) => {
    const transition = twinTransition({ world, history }, action, directives);
    const text = answerText(transition);
    history.push({ directives, action, text, delta: transition.delta });
    return turnOf(action, directives, text);
  });
}

function turnOf(
  action: Action,
  directives: readonly Directive[],
  { observation, delta, status }: SlotTexts,
): RatedTurn {
  return { directives: directivesText(directives), call: callText(action), text: { observation, delta, status } };
}

/** Settings that are not the defaults, as `temperature 0.7`; keys of draws are no settings, and pins differ by step. */
function settingsOf({ sampler }: LaneResult): string[] {
  const { lane: _, step: __, pins, prefix, ...settings } = sampler;
  const named = Object.entries(settings).flatMap(([name, value]) => {
    const usual: unknown = DEFAULT_STEP_OPTIONS[name as keyof typeof DEFAULT_STEP_OPTIONS];
    if (value === undefined || value === usual) return [];
    return [`${name} ${typeof value === 'object' ? canonical(asJson(value)) : String(value)}`];
  });
  return [...named.sort(), ...(pins?.length ? ['pins'] : []), ...(prefix ? ['prefix'] : [])];
}

function sameAuthor(a: Author, b: Author): boolean {
  return a.name === b.name && a.model === b.model;
}

function labOf({ header }: RunRecord): LabSituation | null {
  return (header as typeof header & { lab?: LabSituation }).lab ?? null;
}
