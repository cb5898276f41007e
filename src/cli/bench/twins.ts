/** How long a step of each twin takes, in Node. */
import { noisyAgent } from '../../agents';
import { createExpert, FAMILIES, makeWorld } from '../../twins';
import { stepProgram } from '../../twins/kit/step';
import { median } from '../../metrics';
import type { Action, State } from '../../world/types';
import { programOf, walk } from '../twins/explore';

export interface TwinTimes {
  /** Median and 99th percentile of one step in microseconds. */
  microseconds: number;
  p99: number;
  steps: number;
}

/**
 * Times the steps of noisy experts, each step taken again on the state it was taken on; the first world warms up.
 * @param worlds per family
 */
export async function benchTwins(worlds: number): Promise<{ [family: string]: TwinTimes }> {
  const out: { [family: string]: TwinTimes } = {};
  for (const { name } of FAMILIES) {
    const times: number[] = [];
    for (let seed = 0; seed <= worlds; seed++) {
      const world = makeWorld(name, seed, 1 + (seed % 3));
      const program = programOf(world);
      const steps: { state: State; action: Action }[] = [];
      await walk(world, noisyAgent(createExpert(world), 0.4, seed), 10, (visit) => steps.push(visit));
      for (const { state, action } of steps) {
        const from = performance.now();
        stepProgram(program, state, world.rules, action, []);
        if (seed > 0) times.push(1000 * (performance.now() - from));
      }
    }
    times.sort((a, b) => a - b);
    out[name] = {
      microseconds: median(times) ?? 0,
      p99: times[Math.floor(0.99 * times.length)] ?? 0,
      steps: times.length,
    };
  }
  return out;
}

/** The times as lines of text. */
export function formatTwins(times: { [family: string]: TwinTimes }): string {
  const lines = Object.entries(times).map(
    ([name, { microseconds, p99, steps }]) =>
      `${name.padEnd(16)} ${microseconds.toFixed(1).padStart(8)} us a step, 99% below ${p99.toFixed(0)} us (${steps} steps)`,
  );
  return `twins in Node\n${lines.join('\n')}\n`;
}
