/** The single machine: its rules, its arithmetic and its tools. */
import { get, isObject, type JsonObject } from '../../world/json';
import { errorAnswer, listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { listOf, shape } from '../kit/schema';
import { record, records, type Call, type Program, type RuleDef } from '../kit/types';
import { num } from '../kit/read';
import type { Story } from './scheduleStories';
import { at, param, rulesOf, type Rules } from './shared';

function rulesFor(story: Story): RuleDef[] {
  const { one, place, setting, unit, ledger } = story;
  return [
    { id: 'setup', text: (params) => `another ${setting} takes ${String(params.time)} more first` },
    {
      id: 'pause',
      text: ({ from, to }) =>
        `the ${place} rests from ${String(from)} to ${String(to)}: what would end after ${String(from)} starts at ${String(to)} or later`,
    },
    {
      id: 'before',
      code: 'too_early',
      text: ({ a, b }) => `no ${String(b)} while any ${String(a)} waits`,
      violated: ({ a, b }, facts) => facts.setting === b && facts[`waits_${String(a)}`] === true,
    },
    {
      id: 'latest',
      code: 'too_late',
      text: (params) => `no ${one} may end after ${unit} ${String(params.time)}`,
      violated: (params, { end }) => num(end) > num(params.time),
    },
    {
      id: 'bonus',
      text: ({ add, by }) => `a ${one} that ends by ${unit} ${String(by)} adds ${String(add)} to ${ledger}`,
    },
  ];
}

/** Rules that may forbid a job, in the order in which they are checked. */
export const RUNNING = ['before', 'latest'] as const;

/** Where the machine stands. */
export interface Machine {
  clock: number;
  setting: string;
}

/** When a job would end and what it would earn. */
export function outcome(story: Story, job: JsonObject, machine: Machine, rules: Rules): { end: number; earns: number } {
  const setup = job[story.setting] === machine.setting ? 0 : param(rules, 'setup', 'time');
  const length = setup + num(job[story.length]);
  const [from, to] = [param(rules, 'pause', 'from'), param(rules, 'pause', 'to')];
  const waits = rules.rule('pause') !== undefined && machine.clock < to && machine.clock + length > from;
  const end = (waits ? to : machine.clock) + length;
  const counted = story.due === null ? end : Math.max(0, end - num(job[story.due]));
  const bonus =
    rules.rule('bonus') !== undefined && end <= param(rules, 'bonus', 'by') ? param(rules, 'bonus', 'add') : 0;
  return { end, earns: num(job[story.pay]) - num(job[story.drop]) * counted + bonus };
}

/** What the rules may look at when a job comes next. */
export function factsOf(story: Story, job: JsonObject, end: number, waiting: readonly JsonObject[]): JsonObject {
  const facts: JsonObject = { setting: job[story.setting] ?? '', end };
  for (const other of waiting) facts[`waits_${String(other[story.setting])}`] = true;
  return facts;
}

/** Tools and rules of a story. */
export function programOf(story: Story): Program {
  const { tools, place, items, setting, length, end: ended, pay, drop, due, ledger } = story;
  const id = { type: 'string', from: items } as const;
  const isWaiting = (job: JsonObject) => num(job[ended]) === 0;
  const waiting = (call: Call) => Object.entries(records(call.state, items)).filter(([, job]) => isWaiting(job));
  const withJob = (call: Call, then: (job: JsonObject, result: { end: number; earns: number }) => Answer): Answer => {
    const job = record(call.state, items, call.args.id);
    if (!job) return notFound(call.args.id);
    if (!isWaiting(job)) return errorAnswer('conflict', `already ${ended.replace('_', ' ')} ${num(job[ended])}`);
    const machine = { clock: at(call.state, place, 'clock'), setting: settingOf(story, call.state) };
    return then(job, outcome(story, job, machine, rulesOf(call)));
  };
  const lost = due === null ? `${drop} times its end` : `${drop} for each ${story.unit} past ${due}`;
  return {
    rules: rulesFor(story),
    tools: [
      {
        name: tools.report,
        description: `Clock, ${setting}, ${ledger}`,
        input: {},
        output: shape(`clock:int ${setting} ${ledger}:int`),
        readOnly: true,
        apply: ({ state }) =>
          recordAnswer({
            clock: at(state, place, 'clock'),
            [setting]: settingOf(story, state),
            [ledger]: at(state, 'ledger', ledger),
          }),
      },
      {
        name: tools.list,
        description: `Those with ${ended} 0`,
        input: {},
        output: listOf(`id@${items} ${length}:int ${drop}:int`),
        readOnly: true,
        apply: (call) =>
          listAnswer(
            waiting(call).map(([key, job]) => ({ id: key, [length]: num(job[length]), [drop]: num(job[drop]) })),
          ),
      },
      {
        name: tools.look,
        description: `One ${story.one}`,
        input: { id },
        output: shape(
          `id@${items} for ${setting} ${length}:int ${due === null ? '' : `${due}:int `}${pay}:int ${drop}:int ${ended}:int`,
        ),
        of: items,
        readOnly: true,
        apply: ({ state, args }) => {
          const job = record(state, items, args.id);
          return job ? recordAnswer({ id: String(args.id), ...job }) : notFound(args.id);
        },
      },
      {
        name: tools.attempt,
        description: 'If it came next, limits aside',
        input: { id },
        output: shape(`id@${items} ${ended}:int earns:int`),
        readOnly: true,
        apply: (call) =>
          withJob(call, (_, { end, earns }) => recordAnswer({ id: String(call.args.id), [ended]: end, earns })),
      },
      {
        name: tools.run,
        description: `Next; earns ${pay} less ${lost}`,
        input: { id },
        output: shape(`id@${items} ${ended}:int ${ledger}:int`),
        readOnly: false,
        apply: (call) =>
          withJob(call, (job, { end, earns }) => {
            const others = waiting(call).map(([, other]) => other);
            const refused = call.forbidden(factsOf(story, job, end, others), ...RUNNING);
            if (refused) return refused;
            const total = at(call.state, 'ledger', ledger) + earns;
            const key = String(call.args.id);
            return recordAnswer(
              { id: key, [ended]: end, [ledger]: total },
              {
                [items]: { [key]: { [ended]: end } },
                [place]: { clock: end, [setting]: job[setting] ?? '' },
                ledger: { [ledger]: total },
              },
            );
          }),
      },
    ],
  };
}

/** What the machine is set to. */
export function settingOf(story: Story, state: JsonObject): string {
  const machine = get(state, story.place);
  const setting = isObject(machine) ? get(machine, story.setting) : undefined;
  return typeof setting === 'object' ? '' : String(setting ?? '');
}
