/**
 * Queue admission: customers come one after another with a drawn amount of work; each is admitted or turned away. Being
 * admitted pays, less what waiting for the work ahead costs; between two customers some of the work is done.
 */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, State } from '../../world/types';
import { errorAnswer, listAnswer, recordAnswer } from '../kit/answer';
import { listOf, shape } from '../kit/schema';
import type { Call, Program, RuleDef, Seeded, ToolDef } from '../kit/types';
import { nextDraw } from '../kit/draws';
import { num } from '../kit/read';
import { ahead, calendar, periodTasks } from './periods';
import { at, param, rulesIn, rulesOf, storyOf, worthwhile, type Model, type Rules } from './shared';
import { STORIES, type Story } from './queueStories';
import { greedy, type Move, type Moves, rewardsForesight, solve } from './solver';

function rulesFor(story: Story): RuleDef[] {
  const { calendar: period, work, size, unit, units, admitted, turned } = story;
  return [
    { id: 'waiting_cost', text: ({ cost }) => `each ${unit} in ${work} takes ${String(cost)} off ${story.pay}` },
    { id: 'penalty', text: ({ cost }) => `each ${period.now} ${turned} costs ${String(cost)}` },
    {
      id: 'bonus',
      text: ({ pay, from }) => `a ${period.now} of ${String(from)} ${units} or more pays ${String(pay)} extra`,
    },
    {
      id: 'closed',
      code: 'closed',
      text: (params) => `${period.now} ${String(params.on)} cannot be ${admitted}`,
      violated: (params, { now }) => num(now) === num(params.on),
    },
    {
      id: 'capacity',
      code: 'full',
      text: ({ max }) => `${work} plus ${size} is at most ${String(max)} when ${admitted}`,
      violated: ({ max }, facts) => num(facts.work) + num(facts.size) > num(max),
    },
    {
      id: 'quota',
      code: 'limit_reached',
      text: ({ max }) => `at most ${String(max)} ${period.last} are ${turned}`,
      violated: ({ max }, { refused }) => num(refused) >= num(max),
    },
  ];
}

const ADMITTING = ['closed', 'capacity'] as const;

interface Figures {
  pay: number;
  pace: number;
  waiting: number;
  penalty: number;
  bonus: number;
  /** Size from which the bonus is paid. */
  from: number;
}

function figuresOf(story: Story, state: State, rules: Rules): Figures {
  return {
    pay: at(state, story.place, story.pay),
    pace: at(state, story.place, story.pace),
    waiting: param(rules, 'waiting_cost', 'cost'),
    penalty: param(rules, 'penalty', 'cost'),
    bonus: param(rules, 'bonus', 'pay'),
    from: param(rules, 'bonus', 'from'),
  };
}

/** What admitting a customer earns with some work ahead. */
export function earns(figures: Figures, work: number, size: number): number {
  return figures.pay + (size >= figures.from ? figures.bonus : 0) - figures.waiting * work;
}

/** Work ahead of the next customer. */
export const after = (figures: Pick<Figures, 'pace'>, work: number): number => Math.max(0, work - figures.pace);

function programOf(story: Story): Program {
  const { tools, calendar: period, place, work, ledger, size } = story;
  const over = ({ state }: Call) => at(state, period.now) > at(state, period.last);
  const look = (call: Call) => ({
    figures: figuresOf(story, call.state, rulesOf(call)),
    now: at(call.state, period.now),
    ahead: at(call.state, place, work),
    draw: nextDraw(call.state),
    money: at(call.state, 'ledger', ledger),
  });
  const none = errorAnswer('over', `no ${period.now} left`);
  const list: ToolDef[] = [
    {
      name: tools.report,
      description: `Next ${period.now}`,
      input: {},
      output: shape(`${period.now}:int ${work}:int ${ledger}:int`),
      readOnly: true,
      apply: (call) => {
        const { now, ahead: there, money } = look(call);
        return recordAnswer({ [period.now]: now, [work]: there, [ledger]: money });
      },
    },
    {
      name: tools.forecast,
      description: `A draw each ${period.now}`,
      input: {},
      output: listOf(`${period.now}:int ${size}:int`),
      readOnly: true,
      apply: ({ state }) =>
        listAnswer(ahead(state, period).map((one) => ({ [period.now]: one.period, [size]: one.draw }))),
    },
    {
      name: tools.quote,
      description: `The next, if ${story.admitted}`,
      input: {},
      output: shape(`${size}:int earns:int`),
      readOnly: true,
      apply: (call) => {
        if (over(call)) return none;
        const { figures, ahead: there, draw } = look(call);
        return recordAnswer({ [size]: draw.value, earns: earns(figures, there, draw.value) });
      },
    },
    {
      name: tools.admit,
      description: `Earns ${story.pay}, then ${work} grows by the draw and falls by ${story.pace} (not below 0)`,
      input: {},
      output: shape(`earned:int ${work}:int ${ledger}:int`),
      readOnly: false,
      apply: (call) => {
        if (over(call)) return none;
        const { figures, now, ahead: there, draw, money } = look(call);
        const refused = call.forbidden({ now, work: there, size: draw.value }, ...ADMITTING);
        if (refused) return refused;
        const earned = earns(figures, there, draw.value);
        const next = after(figures, there + draw.value);
        return recordAnswer(
          { earned, [work]: next, [ledger]: money + earned },
          { [place]: { [work]: next }, [period.now]: now + 1, ...draw.delta, ledger: { [ledger]: money + earned } },
        );
      },
    },
    {
      name: tools.refuse,
      description: `${work} falls by ${story.pace} (not below 0)`,
      input: {},
      output: shape(`${work}:int ${ledger}:int`),
      readOnly: false,
      apply: (call) => {
        if (over(call)) return none;
        const { figures, now, ahead: there, draw, money } = look(call);
        const before = at(call.state, place, story.refused);
        const refused = call.forbidden({ refused: before }, 'quota');
        if (refused) return refused;
        const next = after(figures, there);
        const left = money - figures.penalty;
        return recordAnswer(
          { [work]: next, [ledger]: left },
          {
            [place]: { [work]: next, [story.refused]: before + 1 },
            [period.now]: now + 1,
            ...draw.delta,
            ledger: { [ledger]: left },
          },
        );
      },
    },
  ];
  return { tools: list, rules: rulesFor(story) };
}

interface Here {
  /** Customers gone by. */
  i: number;
  work: number;
  refused: number;
}

function movesOf(story: Story, world: Seeded, last: number): Moves<Here> {
  const { state } = world;
  const rules = rulesIn(programOf(story), world);
  const figures = figuresOf(story, state, rules);
  const all = ahead(state, story.calendar).filter(({ period }) => period <= last);
  return ({ i, work, refused }) => {
    const one = all[i];
    if (!one) return 'end';
    const moves: Move<Here>[] = [];
    if (rules.allows({ now: one.period, work, size: one.draw }, ...ADMITTING))
      moves.push({
        calls: [{ tool: story.tools.admit, args: {} }],
        gain: earns(figures, work, one.draw),
        next: { i: i + 1, work: after(figures, work + one.draw), refused },
      });
    if (rules.allows({ refused }, 'quota'))
      moves.push({
        calls: [{ tool: story.tools.refuse, args: {} }],
        gain: -figures.penalty,
        next: { i: i + 1, work: after(figures, work), refused: refused + 1 },
      });
    return moves;
  };
}

const start = (story: Story, { state }: Seeded): Here => ({
  i: 0,
  work: at(state, story.place, story.work),
  refused: at(state, story.place, story.refused),
});

function sample(rng: Rng, difficulty: number, story: Story): Seeded {
  const { place, work, pace, pay, refused, ledger } = story;
  const times = calendar(rng, story.calendar, difficulty, 2, rng.int(7, 9));
  const [first, last] = [at(times, story.calendar.now), at(times, story.calendar.last)];
  const state: JsonObject = {
    [place]: { [work]: rng.int(0, 5), [pace]: rng.int(2, 4), [pay]: rng.int(6, 18), [refused]: 0 },
    ...times,
    ledger: { [ledger]: rng.int(0, 40) },
  };
  const more = [
    { id: 'penalty', params: { cost: rng.int(1, 4) } },
    { id: 'bonus', params: { pay: rng.int(2, 8), from: rng.int(4, 7) } },
    { id: 'closed', params: { on: rng.int(first, last) } },
    { id: 'capacity', params: { max: rng.int(9, 13) } },
    { id: 'quota', params: { max: rng.int(1, 2) } },
  ];
  const rules = [
    { id: 'waiting_cost', params: { cost: rng.int(1, 3) } },
    ...rng.sample(more, difficulty > 1 ? rng.int(1, 2) : 1),
  ];
  return { title: story.title, state, rules: rng.shuffle(rules) };
}

export const queue: Model = {
  stories: Object.keys(STORIES),
  program: (name) => programOf(storyOf(STORIES, name)),
  generate: (rng, difficulty, name) => {
    const story = storyOf(STORIES, name);
    return worthwhile(
      rng,
      (part) => sample(part, difficulty, story),
      (world) => rewardsForesight(start(story, world), movesOf(story, world, at(world.state, story.calendar.last))),
    );
  },
  tasks: (world, name) => {
    const story = storyOf(STORIES, name);
    const { state } = world;
    const { tools, calendar: period, place, ledger } = story;
    const look = (tool: string): Action => ({ tool, args: {} });
    return periodTasks({
      state,
      calendar: period,
      ledger,
      best: (last) => solve(start(story, world), movesOf(story, world, last)),
      shortSighted: (last) => greedy(start(story, world), movesOf(story, world, last)),
      goal: (last) => `${story.run} through ${period.now} ${last}`,
      idle: tools.refuse,
      shown: `A ${period.now} brings ${at(state, place, story.pay)}, and ${at(state, place, story.pace)} ${story.units} ${story.doing} before the next.`,
      drawn: story.size,
      looks: [look(tools.report), look(tools.forecast), look(tools.quote)],
    });
  },
};
