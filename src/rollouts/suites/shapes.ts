/** What the specs and the items of suites have to look like in a file. */
import { FAMILIES } from '../../twins';
import { SLOTS } from '../../world/types';
import { FAILURE_NAMES, verdictOf, type ScenarioResult } from '../adversarial';
import { DIRECTIVES, OUTCOMES, type SteeringItem } from '../steering';
import { SPLITS } from '../trajectories';
import {
  amount,
  anything,
  flag,
  list,
  listOnce,
  mapOf,
  members,
  oneOf,
  orNull,
  text,
  whole,
  type Shape,
} from './check';
import { KIND_NAMES, type AdversarialSuite, type SuiteName } from './suites';

/** Draws are keyed by 32-bit words. */
const seed = whole(0, 2 ** 31 - 1);
const family = oneOf(FAMILIES.map(({ name }) => name));
const count = whole(0, 1_000_000);

export const SPECS: { readonly [name in SuiteName]: Shape } = {
  adversarial: members({
    kinds: listOnce(oneOf(KIND_NAMES)),
    seeds: whole(1, 1_000_000),
    first: seed,
    families: listOnce(family),
    seed,
  }),
  steering: members({
    families: listOnce(family),
    seeds: listOnce(seed),
    difficulties: listOnce(whole(1, 3)),
    directives: listOnce(oneOf(DIRECTIVES)),
    calls: whole(1, 1000),
    seed: whole(0, 99),
    anchors: members({ split: oneOf(SPLITS), n: count, attempts: whole(1, 1024) }),
  }),
};

const slots = members(Object.fromEntries(SLOTS.map((slot) => [slot, text])));
const action: Shape = (value, place) =>
  members({ raw: text })(value, place) === null ? null : members({ tool: text, args: mapOf(anything) })(value, place);
const directive = members({ kind: oneOf(DIRECTIVES) });
const parseErrors = list(members({ slot: oneOf(SLOTS), message: text }));
const failure = orNull(members({ code: text, message: text, advice: text }));
const ratio = members({ sum: amount, n: amount });
const failures = list(oneOf(FAILURE_NAMES));

const scenario = members({
  ...{ kind: text, seed, family, simulator: text, failures, verdict: oneOf(['exact', 'held', 'failed']) },
  steps: list(
    members({
      ...{ action, directives: list(directive), edited: flag, truth: slots, answer: orNull(slots) },
      ...{ parseErrors, failures, breakdown: failure },
    }),
  ),
});

const steered = members({
  ...{ simulator: text, family, worldSeed: seed, difficulty: whole(1, 3), index: count, kind: oneOf(DIRECTIVES) },
  ...{ directive: text, action, truth: slots, undirected: slots, answer: orNull(slots), failure, parseErrors },
  ...{ kept: flag, collateral: ratio, lost: list(text), extra: list(text), exact: flag },
});

const costs = ['nfe', 'generatedTokens', 'forwardTokens', 'prefillTokens', 'ms', 'prefillMs'];
const anchored = members({
  ...{ simulator: text, kind: oneOf(OUTCOMES), family, run: count, index: count, action, told: list(directive) },
  ...{ pins: list(members({ slot: oneOf(SLOTS), pointer: text })), pinned: flag, truth: slots, answer: orNull(slots) },
  ...{ parseErrors, refused: orNull(text), episode: text },
  result: members({ satisfied: ratio, rest: ratio, consistent: flag }),
  selection: orNull(members({ attempts: amount, accepted: amount, pins: list(members({ placed: flag, held: flag })) })),
  cost: members(Object.fromEntries(costs.map((name) => [name, amount]))),
});

/** What is wrong with an item of a suite alone, with its place; null for nothing. */
export function itemProblem(name: SuiteName, item: unknown, place: string): string | null {
  if (name === 'adversarial') return scenario(item, place) ?? scenarioProblem(item as ScenarioResult, place);
  const wrong = members({ type: oneOf(['steering', 'anchor']) })(item, place);
  return wrong ?? ((item as SteeringItem).type === 'anchor' ? anchored : steered)(item, place);
}

/** Verdict and failures of a scenario follow from those of its answers. */
function scenarioProblem({ verdict, failures: told, steps }: ScenarioResult, place: string): string | null {
  const found = FAILURE_NAMES.filter((name) => steps.some((step) => step.failures.includes(name)));
  if (found.join() !== told.join())
    return `${place}/failures is not what its steps have: ${found.join(', ') || 'none'}`;
  const follows = verdictOf(found);
  return verdict === follows ? null : `${place}/verdict is "${verdict}", and by its failures it is "${follows}"`;
}

/** The scenario at a place of a run of the adversarial suite: kinds, then seeds, then simulators. */
export function placeOf({ kinds, seeds, first }: AdversarialSuite, ids: readonly string[], index: number) {
  const [situation, lane] = [Math.floor(index / ids.length), index % ids.length];
  return { kind: kinds[Math.floor(situation / seeds)], seed: first + (situation % seeds), simulator: ids[lane] };
}
