import { describe, expect, test } from 'vitest';
import { makeWorld } from '../twins';
import { callText, parseCall } from '../world/codec';
import { Rng } from '../world/rng';
import type { Agent, AgentView } from '../world/simulator';
import type { Action } from '../world/types';
import { malformedAgent, noisyAgent, randomAgent, replayAgent, sampleCall, spoil } from '.';

const world = makeWorld('support', 1);
const at = (n: number): AgentView => ({ world, state: world.state, steps: Array(n).fill(null) as never });
const acts = (agent: Agent, n = 40) => Promise.all(Array.from({ length: n }, (_, i) => agent.act(at(i))));

describe('agents', () => {
  test('a seed fixes what an agent does, and seeds differ', async () => {
    for (const make of [randomAgent, malformedAgent]) {
      expect(await acts(make(1))).toEqual(await acts(make(1)));
      expect(await acts(make(1))).not.toEqual(await acts(make(2)));
    }
  });

  test('random calls fit the schema and mostly name what exists', async () => {
    for (const action of await acts(randomAgent(3), 60)) {
      const call = parseCall(callText(action));
      const tool = 'tool' in call ? world.tools.find(({ name }) => name === call.tool) : undefined;
      expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual('args' in call ? Object.keys(call.args) : []);
    }
  });

  test('noise replaces about its share of the turns', async () => {
    const own: Action = { tool: 'own', args: {} };
    const inner: Agent = { id: 'inner', act: () => Promise.resolve(own) };
    const kept = (await acts(noisyAgent(inner, 0.3, 5), 400)).filter((action) => action === own).length;
    expect(kept).toBeGreaterThan(240);
    expect(kept).toBeLessThan(320);
    expect(() => noisyAgent(inner, 1.5, 1)).toThrow('between 0 and 1');
  });

  test('a replay repeats and then says that it is over', async () => {
    const actions = await acts(randomAgent(1), 2);
    const agent = replayAgent(actions);
    expect(await acts(agent, 2)).toEqual(actions);
    await expect(agent.act(at(2))).rejects.toThrow('all are used');
  });

  test('spoiling breaks calls in every way', () => {
    const rng = Rng.of('spoil');
    const names = new Set(world.tools.map(({ name }) => name));
    const kinds = new Set<string>();
    for (let i = 0; i < 300; i++) {
      const call = parseCall(callText(spoil(rng, sampleCall(rng, world.tools, world.state))));
      kinds.add('malformed' in call ? 'malformed' : names.has(call.tool) ? 'arguments' : 'unknown');
    }
    expect([...kinds].sort()).toEqual(['arguments', 'malformed', 'unknown']);
  });
});
