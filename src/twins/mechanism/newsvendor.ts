/**
 * Newsvendor: how much to put out each day against a demand that is drawn; a unit sold gains, a unit left over loses. The
 * quantity stands until it is changed, and changing it costs a fee or is forbidden for a while, so days hang together.
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
import { STORIES, type Story } from './newsvendorStories';
import { greedy, type Move, type Moves, rewardsForesight, solve } from './solver';

function rulesFor(story: Story): RuleDef[] {
  const { calendar: period, order, unit, units, buyer, buyers } = story;
  return [
    {
      id: 'max_order',
      code: 'too_high',
      text: ({ max }) => `a ${order} is at most ${String(max)} ${units}`,
      violated: ({ max }, { n }) => num(n) > num(max),
    },
    {
      id: 'hold',
      code: 'too_early',
      text: (params) => `a ${order} above 0 stays until ${period.now} ${String(params.until)}`,
      violated: ({ until }, { now, order: old }) => num(old) > 0 && num(now) < num(until),
    },
    { id: 'fee', text: ({ fee }) => `each change of the ${order} costs ${String(fee)}` },
    { id: 'penalty', text: ({ cost }) => `each ${buyer} without a ${unit} costs ${String(cost)}` },
    { id: 'closed', text: (params) => `${period.now} ${String(params.on)} has no ${buyers}` },
  ];
}

/** What a period brings with a quantity put out. */
export function settle(
  figures: { gain: number; loss: number; penalty: number },
  order: number,
  demand: number,
): { sold: number; left: number; result: number } {
  const sold = Math.min(order, demand);
  const left = order - sold;
  const result = sold * figures.gain - left * figures.loss - (demand - sold) * figures.penalty;
  return { sold, left, result };
}

function figuresOf(story: Story, state: State, rules: Rules) {
  const { place, gain, loss } = story;
  return { gain: at(state, place, gain), loss: at(state, place, loss), penalty: param(rules, 'penalty', 'cost') };
}

/** Demand of a period: the draw, or nothing when it is closed. */
const demandOf = (rules: Rules, period: number, draw: number): number =>
  rules.rule('closed') && param(rules, 'closed', 'on') === period ? 0 : draw;

function programOf(story: Story): Program {
  const { tools, calendar: period, place, order, ledger, unit, units, buyers } = story;
  const over = ({ state }: Call) => at(state, period.now) > at(state, period.last);
  const today = (call: Call) => {
    const { value, delta } = nextDraw(call.state);
    return { demand: demandOf(rulesOf(call), at(call.state, period.now), value), delta };
  };
  const list: ToolDef[] = [
    {
      name: tools.report,
      description: `Next ${period.now}`,
      input: {},
      output: shape(`${period.now}:int ${order}:int ${ledger}:int`),
      readOnly: true,
      apply: ({ state }) =>
        recordAnswer({
          [period.now]: at(state, period.now),
          [order]: at(state, place, order),
          [ledger]: at(state, 'ledger', ledger),
        }),
    },
    {
      name: tools.forecast,
      description: `${buyers}, a draw each ${period.now}`,
      input: {},
      output: listOf(`${period.now}:int ${buyers}:int`),
      readOnly: true,
      apply: (call) =>
        listAnswer(
          ahead(call.state, period).map((one) => ({
            [period.now]: one.period,
            [buyers]: demandOf(rulesOf(call), one.period, one.draw),
          })),
        ),
    },
    {
      name: tools.attempt,
      description: `This ${period.now} with n, no fee`,
      input: { n: { type: 'integer' } },
      output: shape('sold:int left:int result:int'),
      readOnly: true,
      apply: (call) => {
        if (over(call)) return errorAnswer('over', `no ${period.now} left`);
        const figures = figuresOf(story, call.state, rulesOf(call));
        return recordAnswer({ ...settle(figures, num(call.args.n), today(call).demand) });
      },
    },
    {
      name: tools.order,
      description: `${units} for each ${period.now} from now on`,
      input: { n: { type: 'integer' } },
      output: shape(`${order}:int ${ledger}:int`),
      readOnly: false,
      apply: (call) => {
        const { state, args } = call;
        const n = num(args.n);
        const old = at(state, place, order);
        if (over(call)) return errorAnswer('over', `no ${period.now} left`);
        if (n === old) return errorAnswer('conflict', `already ${n}`);
        const refused = call.forbidden({ n, now: at(state, period.now), order: old }, 'max_order', 'hold');
        if (refused) return refused;
        const money = at(state, 'ledger', ledger) - param(rulesOf(call), 'fee', 'fee');
        return recordAnswer({ [order]: n, [ledger]: money }, { [place]: { [order]: n }, ledger: { [ledger]: money } });
      },
    },
    {
      name: tools.advance,
      description: `Sells: ${story.gain} a ${unit} sold, minus ${story.loss} a ${unit} left`,
      input: {},
      output: shape(`sold:int left:int ${ledger}:int`),
      readOnly: false,
      apply: (call) => {
        const { state } = call;
        if (over(call)) return errorAnswer('over', `no ${period.now} left`);
        const { demand, delta } = today(call);
        const figures = figuresOf(story, state, rulesOf(call));
        const { sold, left, result } = settle(figures, at(state, place, order), demand);
        const money = at(state, 'ledger', ledger) + result;
        return recordAnswer(
          { sold, left, [ledger]: money },
          { [period.now]: at(state, period.now) + 1, ...delta, ledger: { [ledger]: money } },
        );
      },
    },
  ];
  return { tools: list, rules: rulesFor(story) };
}

interface Here {
  /** Periods gone by. */
  i: number;
  order: number;
}

/** Decisions: keep the quantity or set another, then sell. More than the highest demand is never worth it. */
function movesOf(story: Story, world: Seeded, last: number): Moves<Here> {
  const { state } = world;
  const rules = rulesIn(programOf(story), world);
  const figures = figuresOf(story, state, rules);
  const days = ahead(state, story.calendar)
    .filter(({ period }) => period <= last)
    .map(({ period, draw }) => ({ period, demand: demandOf(rules, period, draw) }));
  const most = Math.max(...days.map(({ demand }) => demand));
  const sell: Action = { tool: story.tools.advance, args: {} };
  return ({ i, order }) => {
    const day = days[i];
    if (!day) return 'end';
    const after = (n: number): number => settle(figures, n, day.demand).result;
    const all: Move<Here>[] = [{ calls: [sell], gain: after(order), next: { i: i + 1, order } }];
    for (let n = 0; n <= most; n++) {
      if (n === order || !rules.allows({ n, now: day.period, order }, 'max_order', 'hold')) continue;
      const calls = [{ tool: story.tools.order, args: { n } }, sell];
      all.push({ calls, gain: after(n) - param(rules, 'fee', 'fee'), next: { i: i + 1, order: n } });
    }
    return all;
  };
}

const start = (story: Story, { state }: Seeded): Here => ({ i: 0, order: at(state, story.place, story.order) });

function sample(rng: Rng, difficulty: number, story: Story): Seeded {
  const { place, order, gain, loss, ledger } = story;
  const times = calendar(rng, story.calendar, difficulty, 2, rng.int(9, 16));
  const [first, last] = [at(times, story.calendar.now), at(times, story.calendar.last)];
  const highest = Math.max(...ahead(times, story.calendar).map(({ draw }) => draw));
  const state: JsonObject = {
    [place]: { [gain]: rng.int(2, 7), [loss]: rng.int(1, 5), [order]: rng.chance(0.3) ? rng.int(2, 9) : 0 },
    ...times,
    ledger: { [ledger]: rng.int(0, 40) },
  };
  const tie = [
    { id: 'fee', params: { fee: rng.int(3, 12) } },
    { id: 'hold', params: { until: rng.int(Math.min(first + 2, last), last) } },
  ];
  const more = [
    { id: 'max_order', params: { max: rng.int(Math.ceil(highest * 0.6), highest) } },
    { id: 'penalty', params: { cost: rng.int(1, 3) } },
    { id: 'closed', params: { on: rng.int(first, last) } },
  ];
  const rules = [...rng.sample(tie, rng.int(1, 2)), ...rng.sample(more, difficulty > 1 ? 2 : 1)];
  return { title: story.title, state, rules: rng.shuffle(rules) };
}

export const newsvendor: Model = {
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
    const { tools, unit, ledger } = story;
    const look = (tool: string, args: JsonObject = {}): Action => ({ tool, args });
    const tried = ahead(state, story.calendar).map(({ draw }) => look(tools.attempt, { n: draw }));
    return periodTasks({
      state,
      calendar: story.calendar,
      ledger,
      best: (last) => solve(start(story, world), movesOf(story, world, last)),
      shortSighted: (last) => greedy(start(story, world), movesOf(story, world, last)),
      goal: (last) => `${story.run} through ${story.calendar.now} ${last}`,
      idle: tools.advance,
      shown: `A ${unit} sold brings ${at(state, story.place, story.gain)}, one left over loses ${at(state, story.place, story.loss)}.`,
      drawn: story.buyers,
      looks: [look(tools.report), look(tools.forecast), ...tried.slice(0, 1)],
    });
  },
};
