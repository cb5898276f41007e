/** Fingerprints of what every family makes and answers, the same code in Node and in a browser. */
import { noisyAgent } from '../../src/agents';
import { programOf, walk } from '../../src/cli/twins/explore';
import { planAgent } from '../../src/twins/kit/expert';
import { stepProgram } from '../../src/twins/kit/step';
import { makeScenario } from '../../src/twins/kit/world';
import { REGISTRY } from '../../src/twins/registry';
import { answerText } from '../../src/world/codec';
import type { Directive } from '../../src/world/types';

/** Seeds of each family; every difficulty has its third of them. */
const SEEDS = 12;
const STEPS = 8;
/** A noisy walk answers plainly and under these. */
const ASKED: readonly Directive[][] = [[], [{ kind: 'verbose' }], [{ kind: 'scarce' }, { kind: 'misleading' }]];

/** SHA-256 of the bytes of one family, for each seed: under the key `0/1` stand seed 0 and difficulty 1. */
export type Fingerprints = { [family: string]: { [seedAndDifficulty: string]: string } };

/** Fingerprints of all registered families: their worlds, tasks and plans, and the answers on a noisy walk. */
export async function fingerprints(): Promise<Fingerprints> {
  const out: Fingerprints = {};
  for (const family of REGISTRY) {
    const own: Fingerprints[string] = {};
    for (let seed = 0; seed < SEEDS; seed++) {
      const difficulty = 1 + (seed % 3);
      const scenario = makeScenario(family, seed, difficulty);
      const lines = [JSON.stringify(scenario)];
      const { world } = scenario;
      const program = programOf(world);
      await walk(world, noisyAgent(planAgent(scenario.plan), 0.4, seed), STEPS, ({ state, action }) => {
        const answers = ASKED.map((directives) =>
          answerText(stepProgram(program, state, world.rules, action, directives, world.state)),
        );
        lines.push(JSON.stringify([action, answers]));
      });
      own[`${seed}/${difficulty}`] = await sha256(lines.join('\n'));
    }
    out[family.name] = own;
  }
  return out;
}

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
