/**
 * Stock control over several periods: buy once a period, sell what is asked for, keep what is left. Holding, shortage, lots,
 * limits and closed periods are rules.
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
import { STORIES, type Story } from './stockStories';
import { greedy, type Move, type Moves, rewardsForesight, solve } from './solver';

function rulesFor(story: Story): RuleDef[] {
  const { calendar: period, place, unit, units } = story;
  return [
    { id: 'penalty', text: ({ cost }) => `each ${unit} short costs ${String(cost)}` },
    { id: 'holding_cost', text: ({ cost }) => `each ${unit} left after a ${period.now} costs ${String(cost)}` },
    { id: 'fee', text: ({ fee }) => `each order costs ${String(fee)} extra` },
    {
      id: 'closed',
      code: 'closed',
      text: (params) => `${period.now} ${String(params.on)} takes no orders`,
      violated: (params, { now }) => num(now) === num(params.on),
    },
    {
      id: 'lot',
      code: 'bad_lot',
      text: ({ size }) => `orders are multiples of ${String(size)}`,
      violated: ({ size }, { n }) => num(n) % num(size) !== 0,
    },
    {
      id: 'max_order',
      code: 'too_high',
      text: ({ max }) => `an order is at most ${String(max)} ${units}`,
      violated: ({ max }, { n }) => num(n) > num(max),
    },
    {
      id: 'capacity',
      code: 'no_room',
      text: ({ max }) => `the ${place} holds at most ${String(max)} ${units}`,
      violated: ({ max }, { n, stock }) => num(stock) + num(n) > num(max),
    },
  ];
}

/** Rules that may forbid an order, in the order in which they are checked. */
const ORDERING = ['closed', 'lot', 'max_order', 'capacity'] as const;

interface Figures {
  cost: number;
  price: number;
  holding: number;
  penalty: number;
  fee: number;
}

function figuresOf(story: Story, state: State, rules: Rules): Figures {
  return {
    cost: at(state, story.place, story.cost),
    price: at(state, story.place, story.price),
    holding: param(rules, 'holding_cost', 'cost'),
    penalty: param(rules, 'penalty', 'cost'),
    fee: param(rules, 'fee', 'fee'),
  };
}

/** What an order costs. */
export const orderCost = (figures: Pick<Figures, 'cost' | 'fee'>, n: number): number => n * figures.cost + figures.fee;

/** What a period brings with a stock. */
export function settle(
  figures: Pick<Figures, 'price' | 'holding' | 'penalty'>,
  stock: number,
  demand: number,
): { used: number; left: number; result: number } {
  const used = Math.min(stock, demand);
  const left = stock - used;
  return { used, left, result: used * figures.price - left * figures.holding - (demand - used) * figures.penalty };
}

function programOf(story: Story): Program {
  const { tools, calendar: period, place, stock, ordered, ledger, unit, units, demand, used } = story;
  const over = ({ state }: Call) => at(state, period.now) > at(state, period.last);
  const list: ToolDef[] = [
    {
      name: tools.report,
      description: `Next ${period.now}, ${units} there`,
      input: {},
      output: shape(`${period.now}:int ${stock}:int ${ledger}:int`),
      readOnly: true,
      apply: ({ state }) =>
        recordAnswer({
          [period.now]: at(state, period.now),
          [stock]: at(state, place, stock),
          [ledger]: at(state, 'ledger', ledger),
        }),
    },
    {
      name: tools.forecast,
      description: `A draw each ${period.now}`,
      input: {},
      output: listOf(`${period.now}:int ${demand}:int`),
      readOnly: true,
      apply: ({ state }) =>
        listAnswer(ahead(state, period).map((one) => ({ [period.now]: one.period, [demand]: one.draw }))),
    },
    {
      name: tools.quote,
      description: 'Cost of ordering n now',
      input: { n: { type: 'integer', min: 1 } },
      output: shape('n:int total:int'),
      readOnly: true,
      apply: (call) => {
        const n = num(call.args.n);
        return recordAnswer({ n, total: orderCost(figuresOf(story, call.state, rulesOf(call)), n) });
      },
    },
    {
      name: tools.order,
      description: `Buys n, at least 1, once a ${period.now}; arrives at once`,
      input: { n: { type: 'integer', min: 1 } },
      output: shape(`${stock}:int ${ledger}:int`),
      readOnly: false,
      apply: (call) => {
        const { state } = call;
        const n = num(call.args.n);
        const there = at(state, place, stock);
        if (over(call)) return errorAnswer('over', `no ${period.now} left`);
        if (at(state, place, ordered) > 0) return errorAnswer('conflict', `already ${ordered} this ${period.now}`);
        const refused = call.forbidden({ n, stock: there, now: at(state, period.now) }, ...ORDERING);
        if (refused) return refused;
        const money = at(state, 'ledger', ledger) - orderCost(figuresOf(story, state, rulesOf(call)), n);
        return recordAnswer(
          { [stock]: there + n, [ledger]: money },
          { [place]: { [stock]: there + n, [ordered]: n }, ledger: { [ledger]: money } },
        );
      },
    },
    {
      name: tools.advance,
      description: `${demand} is the draw; ${story.price} a ${unit} ${used}`,
      input: {},
      output: shape(`${used}:int left:int ${ledger}:int`),
      readOnly: false,
      apply: (call) => {
        const { state } = call;
        if (over(call)) return errorAnswer('over', `no ${period.now} left`);
        const { value, delta } = nextDraw(state);
        const figures = figuresOf(story, state, rulesOf(call));
        const { used: out, left, result } = settle(figures, at(state, place, stock), value);
        const money = at(state, 'ledger', ledger) + result;
        return recordAnswer(
          { [used]: out, left, [ledger]: money },
          {
            [place]: { [stock]: left, [ordered]: 0 },
            [period.now]: at(state, period.now) + 1,
            ...delta,
            ledger: { [ledger]: money },
          },
        );
      },
    },
  ];
  return { tools: list, rules: rulesFor(story) };
}

interface Here {
  /** Periods gone by. */
  i: number;
  stock: number;
}

/** Decisions: order nothing or some number, then sell. More than all demand to come, up to a whole lot, is never worth it. */
function movesOf(story: Story, world: Seeded, last: number): Moves<Here> {
  const { state } = world;
  const rules = rulesIn(programOf(story), world);
  const figures = figuresOf(story, state, rules);
  const days = ahead(state, story.calendar).filter(({ period }) => period <= last);
  const lot = Math.max(1, param(rules, 'lot', 'size'));
  const advance: Action = { tool: story.tools.advance, args: {} };
  return ({ i, stock }) => {
    const day = days[i];
    if (!day) return 'end';
    const move = (n: number): Move<Here> => {
      const { left, result } = settle(figures, stock + n, day.draw);
      const gain = result - (n > 0 ? orderCost(figures, n) : 0);
      const calls = n > 0 ? [{ tool: story.tools.order, args: { n } }, advance] : [advance];
      return { calls, gain, next: { i: i + 1, stock: left } };
    };
    const all = [move(0)];
    const wanted = days.slice(i).reduce((sum, { draw }) => sum + draw, 0);
    for (let n = 1; n < wanted - stock + lot; n++)
      if (rules.allows({ n, stock, now: day.period }, ...ORDERING)) all.push(move(n));
    return all;
  };
}

const start = (story: Story, { state }: Seeded): Here => ({ i: 0, stock: at(state, story.place, story.stock) });

function sample(rng: Rng, difficulty: number, story: Story): Seeded {
  const { place, stock, ordered, cost, price, ledger } = story;
  const times = calendar(rng, story.calendar, difficulty, 2, rng.int(6, 9));
  const [first, last] = [at(times, story.calendar.now), at(times, story.calendar.last)];
  const unitCost = rng.int(1, 4);
  const state: JsonObject = {
    [place]: { [stock]: rng.int(0, 5), [ordered]: 0, [cost]: unitCost, [price]: unitCost + rng.int(1, 4) },
    ...times,
    ledger: { [ledger]: rng.int(20, 60) },
  };
  const lotSize = rng.int(2, 5);
  const more = [
    { id: 'fee', params: { fee: rng.int(2, 9) } },
    { id: 'closed', params: { on: rng.int(first + 1, last) } },
    { id: 'lot', params: { size: lotSize } },
    { id: 'max_order', params: { max: lotSize * rng.int(1, 2) + rng.int(2, 4) } },
    { id: 'capacity', params: { max: rng.int(8, 14) } },
  ];
  const rules = [
    { id: 'penalty', params: { cost: rng.int(1, 4) } },
    ...(rng.chance(0.75) ? [{ id: 'holding_cost', params: { cost: rng.int(1, 2) } }] : []),
    ...rng.sample(more, difficulty > 1 ? 2 : 1),
  ];
  return { title: story.title, state, rules: rng.shuffle(rules) };
}

export const stock: Model = {
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
    const { tools, place, unit, ledger } = story;
    const look = (tool: string, args: JsonObject = {}): Action => ({ tool, args });
    const n = at(state, place, story.stock) + 3;
    return periodTasks({
      state,
      calendar: story.calendar,
      ledger,
      best: (last) => solve(start(story, world), movesOf(story, world, last)),
      shortSighted: (last) => greedy(start(story, world), movesOf(story, world, last)),
      goal: (last) => `${story.run} through ${story.calendar.now} ${last}`,
      idle: tools.advance,
      shown: `A ${unit} costs ${at(state, place, story.cost)} and brings ${at(state, place, story.price)} when ${story.used}.`,
      drawn: story.demand === 'patients' ? 'patients' : 'numbers wanted',
      looks: [look(tools.report), look(tools.forecast), look(tools.quote, { n })],
    });
  },
};
