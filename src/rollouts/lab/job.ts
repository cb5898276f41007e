/** One job: the same loop as manual mode, with every step judged and handed on at once. */
import { recordedLane } from '../../metrics';
import { makeWorld, TwinSimulator } from '../../twins';
import { currentState } from '../../world/codec/fold';
import { isDone, progress } from '../../world/checks';
import type { Transition } from '../../world/types';
import { driveRollout } from '../drive';
import { COUNTED_FAILURES, type Lane } from '../lane';
import { Rollout, TWIN_LANE } from '../loop';
import { contextAfter, type LaneFailure, type RunHeader, type StepRecord } from '../records';
import { LabError } from './errors';
import { ForcedSimulator, forcedResult } from './forced';
import { agentOf, directivesOf, endsWithTask, stepsOfJob, type LabJob } from './jobs';
import { judge, RealWalk } from './judge';
import type { JobRecord, LabHeader, LabSink } from './records';
import { specHash, type LabSpec, type SimulatorKind } from './spec';
import { Tally } from './tally';

/** A simulator as the batch is given it; its id and its settings come from the spec. */
export type LabLane = Omit<Lane, 'id'>;

/** What a job needs beside itself. */
export interface JobSetting {
  spec: LabSpec;
  lane: LabLane;
  sink: LabSink;
  signal: AbortSignal | undefined;
  /** Waited for before each step: here the batch pauses and lets others run. */
  gate: () => Promise<void>;
  /** ISO 8601, for the header. */
  createdAt: string;
}

/**
 * Does one job and hands its records to the sink.
 * @throws LabError `no_simulator`, `lane_failed`, `twin_failed`; what the sink throws; the signal's reason when aborted
 */
export async function runJob(job: LabJob, setting: JobSetting): Promise<JobRecord> {
  const { spec, sink, signal, gate, createdAt } = setting;
  const agent = spec.agents.find(({ id }) => id === job.agent);
  const world = makeWorld(job.family, job.worldSeed, job.difficulty);
  if (!agent)
    throw new LabError('bad_spec', `The batch has no agent "${job.agent}".`, 'Take the jobs from its own spec.');
  if (!setting.lane.simulator.supports(world)) {
    const what = `${job.simulator} cannot answer in the world ${job.family} ${job.worldSeed}.`;
    throw new LabError('no_simulator', what, 'Leave the simulator or the family out of the batch.');
  }
  const teacher = spec.history === 'teacher' ? TWIN_LANE : job.simulator;
  const own = spec.simulators.find(({ id }) => id === job.simulator);
  // The rollout that the forced lane looks at is made from that lane.
  const made: { rollout?: Rollout } = {};
  const lane: Lane = { ...setting.lane, id: job.simulator, options: { ...setting.lane.options, ...own?.options } };
  const lanes: Lane[] = [lane];
  if (teacher !== job.simulator) {
    lane.simulator = new ForcedSimulator(lane.simulator, () => (made.rollout as Rollout).contextOf(teacher));
    lanes.unshift({ id: teacher, simulator: new TwinSimulator(), options: { lane: 0 } });
  }
  const id = `lab-${specHash(spec)}/${job.id}`;
  const rollout = (made.rollout = Rollout.start(world, lanes, {
    id,
    title: `${world.title}, ${job.agent}`,
    createdAt,
  }));
  const header = (of: RunHeader): LabHeader => ({ ...of, lab: { ...job, history: spec.history } });
  const tally = new Tally(spec, job);
  const real = new RealWalk(world, job);
  const directives = directivesOf(spec, job);
  let onTrack = true;
  // What goes on after the task may undo it.
  let done = isDone(world.task, world.state);
  await sink.begin(job, header(rollout.header));

  const onRow = async (row: StepRecord): Promise<void> => {
    const context = contextAfter(world, rollout.branch.slice(0, -1), teacher);
    const raw = row.results[job.simulator];
    if (!raw) throw new LabError('no_simulator', `${job.id} has no answer.`, 'Report it; this is a defect.');
    if (raw.failure && !COUNTED_FAILURES.has(raw.failure.code)) throw laneFailed(job, raw.failure);
    const result = teacher === job.simulator ? raw : forcedResult(raw, context);
    const known = truthIn(row, teacher, own?.kind);
    const judged = judge(job, context, row.action, row.directives, result, known, onTrack);
    // A teacher's state is the twin's whatever was answered.
    onTrack &&= teacher !== job.simulator || judged.row?.score.stateExact === 1;
    done ||= isDone(world.task, currentState(rollout.contextOf(teacher)));
    tally.add(judged, result, row.action, row.directives);
    // Under a teacher the actions were found in the twin to begin with.
    if (spec.history === 'free') {
      real.step(row.action, row.directives, judged.verdict.truth, judged.row?.score.answerExact === 1);
    }
    await sink.step(job, { ...row, results: { ...row.results, [job.simulator]: result }, lab: judged.verdict });
    await gate();
  };
  await gate();
  await driveRollout(rollout, agentOf(agent, world, job.draw), {
    steps: stepsOfJob(spec, agent),
    lane: teacher,
    untilDone: endsWithTask(agent),
    seed: job.draw,
    directivesAt: (index) => directives[index] ?? [],
    ...(signal ? { signal } : {}),
    onRow,
  });
  const state = currentState(rollout.contextOf(teacher));
  const { task } = world;
  const ownSteps = recordedLane(world, rollout.branch, job.simulator);
  const end = {
    ...{ done, progress: done ? 1 : progress(task, state), real: real.done },
    ...{ lane: ownSteps, tools: world.tools },
  };
  const record = tally.record(spec.history === 'teacher' ? null : end);
  await sink.end(record, header(rollout.header));
  return record;
}

/** The twin's answer where a lane of the row has it for this history. */
function truthIn({ results }: StepRecord, teacher: string, kind: SimulatorKind | undefined): Transition | null {
  return kind === 'twin' || teacher === TWIN_LANE ? (results[teacher]?.prediction?.transition ?? null) : null;
}

function laneFailed(job: LabJob, { code, message, advice }: LaneFailure): LabError {
  const what = `${job.simulator} failed in ${job.id} (${code}): ${message}`;
  return new LabError('lane_failed', what, `${advice} What is done is kept; start the batch again to go on from here.`);
}
