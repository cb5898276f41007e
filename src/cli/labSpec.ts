/** The spec of a batch from its file, with the recordings it names. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { branchTo, readTrace, stepsOf } from '../rollouts';
import { LabError, parseLabSpec, readLabSpec, type LabSpec } from '../rollouts/lab';
import { asJson } from '../rollouts/records';
import { get, isObject, parseJson, type Json } from '../world/json';

/**
 * Reads a spec. A `replay` agent may name a recording with `file` (beside the spec) in place of `actions`: the actions of the
 * branch that ends in its last step are put there.
 * @throws Error for a file that cannot be read; LabError and RolloutError for what is wrong in it
 */
export async function readSpecFile(file: string): Promise<LabSpec> {
  const text = readText(file, '--spec');
  const parsed = parseJson(text);
  if (!parsed.ok || !isObject(parsed.value)) return parseLabSpec(text);
  const agents = get(parsed.value, 'agents');
  if (!Array.isArray(agents)) return readLabSpec(parsed.value);
  const filled: Json[] = [];
  for (const agent of agents) filled.push(await withActions(agent, file));
  return readLabSpec({ ...parsed.value, agents: filled });
}

async function withActions(agent: Json, spec: string): Promise<Json> {
  if (!isObject(agent) || get(agent, 'kind') !== 'replay') return agent;
  const { file, ...rest } = agent;
  if (typeof file !== 'string') return agent;
  const { runs } = await readTrace(readText(resolve(dirname(spec), file), 'the recording'));
  const steps = runs[0] ? stepsOf(runs[0]) : [];
  const last = steps.at(-1);
  if (!last) throw new LabError('bad_spec', `The recording ${file} has no steps.`, 'Name another one.');
  const branch = branchTo(new Map(steps.map((step) => [step.id, step])), last.id);
  return { ...rest, actions: branch.map(({ action }) => asJson(action)) };
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${what} ${file} cannot be read (${why}).`, { cause: error });
  }
}
