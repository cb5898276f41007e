/** The rollouts of a batch, one after another, with ids that say which they are. */
import { malformedAgent, noisyAgent, randomAgent, replayAgent, untilDone } from '../../agents';
import { createExpert, failCodesOf } from '../../twins';
import { parseDirectives } from '../../world/directives';
import { hash32, hashText } from '../../world/rng';
import type { Agent } from '../../world/simulator';
import type { Directive, World } from '../../world/types';
import { parseFaultPlan, scheduleOf, withFaults } from '../faults';
import { seedsOf, type LabAgent, type LabSpec } from './spec';

/** One rollout of a batch: one simulator in one world with one agent. */
export interface LabJob {
  /** Place in the batch, from 0. */
  index: number;
  /** `family/world seed/difficulty/agent/seed/simulator`: the same in every batch that has this rollout. */
  id: string;
  family: string;
  worldSeed: number;
  difficulty: number;
  agent: string;
  seed: number;
  simulator: string;
  /**
   * Seed of everything that is drawn in the rollout, a hash of world and seed: runs in different worlds draw different
   * numbers, and the simulators that are compared in one draw the same.
   */
  draw: number;
}

/**
 * The jobs of a batch in the order in which they are done: the simulators of one situation together, so that they can be
 * compared whenever the batch stops, then agents and families, then worlds and seeds. Nothing but the spec is held.
 */
export function* expandJobs(spec: LabSpec): Generator<LabJob> {
  let index = 0;
  for (const seed of seedsOf(spec.seeds)) {
    for (const worldSeed of seedsOf(spec.worlds.seeds)) {
      for (const difficulty of spec.worlds.difficulties) {
        for (const family of spec.worlds.families) {
          // One bit less, so that it is a seed that `npm run rollout` takes as well.
          const draw = hash32(hashText(family), worldSeed, difficulty, seed) >>> 1;
          for (const { id: agent } of spec.agents) {
            for (const { id: simulator } of spec.simulators) {
              const id = [family, worldSeed, difficulty, agent, seed, simulator].join('/');
              yield { index: index++, id, family, worldSeed, difficulty, agent, seed, simulator, draw };
            }
          }
        }
      }
    }
  }
}

/** Who acts in a job. */
export function agentOf(agent: LabAgent, world: World, draw: number): Agent {
  switch (agent.kind) {
    case 'expert':
      return agent.then ? untilDone(createExpert(world), randomAgent(draw)) : createExpert(world);
    case 'noisy':
      return noisyAgent(createExpert(world), agent.rate, draw);
    case 'random':
      return randomAgent(draw);
    case 'malformed':
      return malformedAgent(draw);
    case 'replay':
      return replayAgent(agent.actions);
    default:
      return agent satisfies never;
  }
}

/** Whether an agent ends with its task, as all do that are not told to go on. */
export function endsWithTask(agent: LabAgent): boolean {
  return agent.kind !== 'expert' || agent.then === undefined;
}

/** Steps of a job at most: a replay ends with its recording. */
export function stepsOfJob(spec: LabSpec, agent: LabAgent): number {
  return agent.kind === 'replay' ? Math.min(spec.steps, agent.actions.length) : spec.steps;
}

/** Directives of each step of a job: those of every step and those of the fault plan. */
export function directivesOf(spec: LabSpec, job: LabJob): Directive[][] {
  const always = parseDirectives(spec.directives);
  const plan = spec.faults === null ? null : parseFaultPlan(spec.faults);
  const codes = failCodesOf(job.family);
  const schedule = plan?.ok ? scheduleOf(plan.value, codes, spec.steps, job.draw) : null;
  return Array.from({ length: spec.steps }, (_, step) =>
    withFaults(always.ok ? always.value : [], schedule?.ok ? schedule.value[step] : []),
  );
}
