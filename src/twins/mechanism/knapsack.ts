/** Knapsack: which things to take along when they cannot all be taken. Weight, number and company are limited by rules. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check } from '../../world/types';
import { errorAnswer, listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { ids, keyed, words } from '../kit/ids';
import { listOf, shape } from '../kit/schema';
import { record, records, type Call, type Program, type RuleDef, type Seeded, type TaskTemplate } from '../kit/types';
import { num } from '../kit/read';
import { at, nearTarget, param, rulesIn, rulesOf, storyOf, withLooks, worthwhile, type Model } from './shared';
import { STORIES, type Story } from './knapsackStories';

function rulesFor(story: Story): RuleDef[] {
  const { place, things, worth, packed } = story;
  return [
    {
      id: 'capacity',
      code: 'too_heavy',
      text: ({ max }) => `the ${place} takes a load of at most ${String(max)}`,
      violated: ({ max }, facts) => num(facts.load) + num(facts.weight) > num(max),
    },
    {
      id: 'count',
      code: 'too_many',
      text: ({ max }) => `at most ${String(max)} ${things} ${packed}`,
      violated: ({ max }, { count }) => num(count) >= num(max),
    },
    {
      id: 'apart',
      code: 'not_allowed',
      text: ({ a, b }) => `no ${String(a)} together with ${String(b)}`,
      violated: ({ a, b }, facts) =>
        (facts.kind === a && facts[`with_${String(b)}`] === true) ||
        (facts.kind === b && facts[`with_${String(a)}`] === true),
    },
    { id: 'bonus', text: (params) => `${worth} of ${String(params.kind)} counts ${String(params.add)} more` },
    { id: 'fee', text: ({ fee }) => `each ${story.tools.unpack} costs ${String(fee)}` },
  ];
}

const PACKING = ['capacity', 'count', 'apart'] as const;

/** What a thing is worth under the rules. */
function worthOf(story: Story, item: JsonObject, rules: ReturnType<typeof rulesOf>): number {
  const extra = rules.rule('bonus')?.kind === item.kind ? param(rules, 'bonus', 'add') : 0;
  return num(item[story.worth]) + extra;
}

/** What the rules may look at when a thing joins others. */
function factsOf(story: Story, item: JsonObject, load: number, others: readonly JsonObject[]): JsonObject {
  const facts: JsonObject = { load, weight: num(item[story.weight]), kind: item.kind ?? '', count: others.length };
  for (const other of others) facts[`with_${String(other.kind)}`] = true;
  return facts;
}

function programOf(story: Story): Program {
  const { tools, place, items, packed, weight, worth, ledger } = story;
  const id = { type: 'string', from: items } as const;
  const inside = (call: Call) => Object.values(records(call.state, items)).filter((item) => item[packed] === true);
  const move = (call: Call, into: boolean, then: (item: JsonObject) => Answer | number): Answer => {
    const item = record(call.state, items, call.args.id);
    if (!item) return notFound(call.args.id);
    if ((item[packed] === true) === into) return errorAnswer('conflict', `${into ? 'already' : 'not'} ${packed}`);
    const change = then(item);
    if (typeof change !== 'number') return change;
    const load = at(call.state, place, 'load') + (into ? 1 : -1) * num(item[weight]);
    const total = at(call.state, 'ledger', ledger) + change;
    return recordAnswer(
      { id: String(call.args.id), load, [ledger]: total },
      { [items]: { [String(call.args.id)]: { [packed]: into } }, [place]: { load }, ledger: { [ledger]: total } },
    );
  };
  return {
    rules: rulesFor(story),
    tools: [
      {
        name: tools.report,
        description: `${story.things} ${packed}`,
        input: {},
        output: shape(`count:int load:int ${ledger}:int`),
        readOnly: true,
        apply: (call) =>
          recordAnswer({
            count: inside(call).length,
            load: at(call.state, place, 'load'),
            [ledger]: at(call.state, 'ledger', ledger),
          }),
      },
      {
        name: tools.list,
        description: `${story.things} not ${packed}`,
        input: {},
        output: listOf(`id@${items} ${weight}:int ${worth}:int`),
        readOnly: true,
        apply: ({ state }) =>
          listAnswer(
            Object.entries(records(state, items))
              .filter(([, item]) => item[packed] !== true)
              .map(([key, item]) => ({ id: key, [weight]: num(item[weight]), [worth]: num(item[worth]) })),
          ),
      },
      {
        name: tools.look,
        description: `One of ${items}`,
        input: { id },
        output: shape(`id@${items} name kind ${weight}:int ${worth}:int ${packed}:bool`),
        of: items,
        readOnly: true,
        apply: ({ state, args }) => {
          const item = record(state, items, args.id);
          return item ? recordAnswer({ id: String(args.id), ...item }) : notFound(args.id);
        },
      },
      {
        name: tools.pack,
        description: `Adds its ${weight} to load, its ${worth} to ${ledger}`,
        input: { id },
        output: shape(`id@${items} load:int ${ledger}:int`),
        readOnly: false,
        apply: (call) =>
          move(call, true, (item) => {
            const facts = factsOf(story, item, at(call.state, place, 'load'), inside(call));
            return call.forbidden(facts, ...PACKING) ?? worthOf(story, item, rulesOf(call));
          }),
      },
      {
        name: tools.unpack,
        description: 'Takes both off again',
        input: { id },
        output: shape(`id@${items} load:int ${ledger}:int`),
        readOnly: false,
        apply: (call) =>
          move(call, false, (item) => -worthOf(story, item, rulesOf(call)) - param(rulesOf(call), 'fee', 'fee')),
      },
    ],
  };
}

interface Choice {
  gain: number;
  calls: Action[];
  /** Things that are in at the end. */
  chosen: readonly string[];
}

/**
 * What it takes to end with just these things, or null when the rules forbid them. Out first, then in: the limits only get
 * tighter with each thing, so any order of a set that fits is allowed.
 */
function choose(story: Story, world: Seeded, chosen: readonly string[]): Choice | null {
  const { items, packed, tools, weight } = story;
  const rules = rulesIn(programOf(story), world);
  const all = Object.entries(records(world.state, items));
  const calls: Action[] = [];
  let load = at(world.state, story.place, 'load');
  let gain = 0;
  for (const [id, item] of all) {
    if (item[packed] !== true || chosen.includes(id)) continue;
    calls.push({ tool: tools.unpack, args: { id } });
    gain -= worthOf(story, item, rules) + param(rules, 'fee', 'fee');
    load -= num(item[weight]);
  }
  const others = all.filter(([id, item]) => item[packed] === true && chosen.includes(id)).map(([, item]) => item);
  for (const [id, item] of all) {
    if (item[packed] === true || !chosen.includes(id)) continue;
    if (!rules.allows(factsOf(story, item, load, others), ...PACKING)) return null;
    calls.push({ tool: tools.pack, args: { id } });
    gain += worthOf(story, item, rules);
    load += num(item[weight]);
    others.push(item);
  }
  return { gain, calls, chosen };
}

/** The best choice by trying all sets of things that satisfy a condition. */
function best(story: Story, world: Seeded, fits: (chosen: readonly string[]) => boolean = () => true): Choice | null {
  const all = Object.keys(records(world.state, story.items));
  let top: Choice | null = null;
  for (let mask = 0; mask < 2 ** all.length; mask++) {
    const chosen = all.filter((_, i) => (mask >> i) & 1);
    const choice = fits(chosen) ? choose(story, world, chosen) : null;
    if (choice && (!top || choice.gain > top.gain)) top = choice;
  }
  return top;
}

/** What an agent gains that packs whatever is worth most and still fits, and never takes anything out. */
function shortSighted(story: Story, world: Seeded): number {
  const all = Object.entries(records(world.state, story.items));
  let chosen = all.filter(([, item]) => item[story.packed] === true).map(([id]) => id);
  let gain = 0;
  for (const [id] of all.sort(([, a], [, b]) => num(b[story.worth]) - num(a[story.worth]))) {
    const more = choose(story, world, [...chosen, id]);
    if (more && more.gain > gain) [chosen, gain] = [[...chosen, id], more.gain];
  }
  return gain;
}

function sample(rng: Rng, difficulty: number, story: Story): Seeded {
  const { place, items, packed, weight, worth, ledger } = story;
  const kinds = words(rng, story.kinds, difficulty > 1 ? 3 : 2, 0.3);
  const names = words(rng, story.names, rng.int(difficulty + 2, difficulty + 3), 0.4);
  const keys = ids(rng, names.length);
  const max = rng.int(10, 24);
  const goods = keyed(keys, (_, i) => ({
    name: names[i] ?? '',
    kind: rng.pick(kinds),
    [weight]: rng.int(2, 12),
    [worth]: rng.int(3, 25),
    [packed]: false,
  }));
  let load = 0;
  for (const item of Object.values(records({ goods }, 'goods')).slice(0, rng.int(0, 2))) load += num(item[weight]);
  const fill = load > 0 && load <= max && rng.chance(0.7);
  let full = 0;
  let sum = 0;
  for (const item of Object.values(goods) as JsonObject[]) {
    if (!fill || full + num(item[weight]) > load) break;
    item[packed] = true;
    full += num(item[weight]);
    sum += num(item[worth]);
  }
  const present = new Set((Object.values(goods) as JsonObject[]).map(({ kind }) => String(kind)));
  const [a = '', b] = rng.shuffle([...present]);
  const more = [
    { id: 'count', params: { max: rng.int(2, 3) } },
    ...(b === undefined ? [] : [{ id: 'apart', params: { a, b } }]),
    { id: 'bonus', params: { kind: a, add: rng.int(2, 6) } },
    { id: 'fee', params: { fee: rng.int(1, 4) } },
  ];
  const rules = [{ id: 'capacity', params: { max } }, ...rng.sample(more, difficulty > 1 ? 2 : 1)];
  return {
    title: story.title,
    state: { [items]: goods, [place]: { load: full }, ledger: { [ledger]: sum } },
    rules: rng.shuffle(rules),
  };
}

type Goal = 'best' | 'hidden' | 'near' | 'with' | 'without';

function task(story: Story, world: Seeded, goal: Goal): TaskTemplate {
  return (rng) => {
    const { items, tools, ledger, packed, place } = story;
    const free = best(story, world);
    const all = records(world.state, items);
    const special = Object.keys(all).filter((id) => free?.chosen.includes(id) === (goal === 'without'));
    const named = goal === 'with' || goal === 'without' ? rng.sample(special, 1)[0] : null;
    if (named === undefined) return null;
    const choice = best(story, world, (chosen) => named === null || chosen.includes(named) === (goal === 'with'));
    if (!choice) return null;
    const start = at(world.state, 'ledger', ledger);
    const target = start + (goal === 'near' ? nearTarget(rng, choice.gain, shortSighted(story, world)) : choice.gain);
    const aims: { [name in Goal]: string } = {
      best: story.most,
      hidden: story.most,
      near: story.atLeast(target),
      with: `${story.most}, with ${String(named)} among them`,
      without: `${story.most}, but leave ${String(named)} out`,
    };
    const limit = rulesIn(programOf(story), world).rule('capacity')?.max ?? '';
    const shown = goal === 'best' || (goal !== 'hidden' && rng.chance(0.4));
    const own: Check[] =
      named === null ? [] : [{ path: `/${items}/${named}/${packed}`, op: '==', value: goal === 'with' }];
    const looks: Action[] = [
      { tool: tools.report, args: {} },
      { tool: tools.list, args: {} },
      { tool: tools.look, args: { id: named ?? rng.pick(Object.keys(all)) } },
    ];
    return {
      instruction: `${aims[goal]}.${shown ? ` The ${place} takes a load of at most ${limit}.` : ''}`,
      plan: withLooks(rng, choice.calls, looks),
      checks: [{ path: `/ledger/${ledger}`, op: '>=', value: target }, ...own],
    };
  };
}

export const knapsack: Model = {
  stories: Object.keys(STORIES),
  program: (name) => programOf(storyOf(STORIES, name)),
  generate: (rng, difficulty, name) => {
    const story = storyOf(STORIES, name);
    return worthwhile(
      rng,
      (part) => sample(part, difficulty, story),
      (world) => (best(story, world)?.gain ?? -Infinity) > shortSighted(story, world),
    );
  },
  tasks: (world, name) => {
    const story = storyOf(STORIES, name);
    const goals: readonly Goal[] = ['best', 'hidden', 'near', 'with', 'without'];
    return Object.fromEntries(goals.map((goal) => [goal, task(story, world, goal)]));
  },
};
