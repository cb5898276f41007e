/** The scenario of a kind and a seed: the first world, tried in a fixed order, that offers the situation. */
import { FAMILIES } from '../../twins';
import { makeScenario } from '../../twins/kit/world';
import { familyOf } from '../../twins/registry';
import { answerText, estimateTokens, worldTokens } from '../../world/codec';
import { Rng } from '../../world/rng';
import { ANSWER_TOKENS, BLOCK_TOKENS } from './limits';
import { play } from './play';
import { SCENARIO_KINDS } from './registry';
import type { Scenario, ScenarioKind } from './types';

/** World seeds of the suite lie apart from those of the corpus and its splits. */
const BASE = 50_000_000;
const ATTEMPTS = 400;

/**
 * A kind by its name.
 * @throws RangeError for one there is not; the message lists those there are
 */
export function kindOf(name: string): ScenarioKind {
  const kind = SCENARIO_KINDS.find((candidate) => candidate.name === name);
  if (kind) return kind;
  throw new RangeError(
    `There is no scenario "${name}"; known are ${SCENARIO_KINDS.map((one) => one.name).join(', ')}.`,
  );
}

/**
 * The scenario with this seed; equal arguments give equal bytes.
 * @param families names of the families it may be set in; all of them unless told
 * @throws Error when none of the families offers the situation
 */
export function makeAdversarial(
  kind: ScenarioKind,
  seed: number,
  families: readonly string[] = FAMILIES.map(({ name }) => name),
): Scenario {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const rng = Rng.of('adversarial', kind.name, seed, attempt);
    const family = rng.pick(families);
    const difficulty = rng.int(1, 3);
    const { world, plan } = makeScenario(familyOf(family), BASE + rng.int(0, 9_999_999), difficulty);
    const built = kind.build({ world, plan, rng: rng.fork('build') });
    if (!built) continue;
    const scenario: Scenario = { kind: kind.name, seed, family, ...built };
    if (fits(scenario)) return scenario;
  }
  throw new Error(`${kind.name}: no scenario for seed ${seed} in ${families.join(', ')}.`);
}

/** Whether a model could be right: prompts and true answers no longer than those it was trained on. */
function fits(scenario: Scenario): boolean {
  return play(scenario).every(({ context, truth }) => {
    const { observation, delta } = answerText(truth);
    return (
      worldTokens(context.world) <= BLOCK_TOKENS &&
      estimateTokens(observation) <= ANSWER_TOKENS.observation &&
      estimateTokens(delta) <= ANSWER_TOKENS.delta
    );
  });
}
