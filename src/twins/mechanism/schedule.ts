/**
 * One machine, several jobs: each pays less the later it ends (weighted completion time), or the further past its due time
 * (weighted lateness). Setups, a pause, precedence and a closing time are rules. Jobs that do not pay may be left out.
 */
import { pointerKey } from '../../world/checks';
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check } from '../../world/types';
import { ids, keyed, word, words } from '../kit/ids';
import { record, records, type Seeded, type TaskTemplate } from '../kit/types';
import { num } from '../kit/read';
import { factsOf, outcome, programOf, RUNNING, settingOf, type Machine } from './scheduleProgram';
import { STORIES, type Story } from './scheduleStories';
import { at, enumerated, nearTarget, rulesIn, storyOf, withLooks, worthwhile, type Model } from './shared';
import { greedy, type Move, type Moves, rewardsForesight, type Solution, solve } from './solver';

interface Here extends Machine {
  open: readonly string[];
}

/** Decisions: one of the open jobs next, or, unless all must be done, an end to it. */
function movesOf(story: Story, world: Seeded, all: boolean): Moves<Here> {
  const rules = rulesIn(programOf(story), world);
  const jobs = records(world.state, story.items);
  return ({ open, clock, setting }) => {
    if (open.length === 0) return 'end';
    const moves: Move<Here>[] = all ? [] : [{ calls: [], gain: 0, next: { open: [], clock: 0, setting: '' } }];
    const waiting = open.map((id) => jobs[id] ?? {});
    for (const id of open) {
      const job = jobs[id] ?? {};
      const { end, earns } = outcome(story, job, { clock, setting }, rules);
      if (!rules.allows(factsOf(story, job, end, waiting), ...RUNNING)) continue;
      const next = { open: open.filter((other) => other !== id), clock: end, setting: String(job[story.setting]) };
      moves.push({ calls: [{ tool: story.tools.run, args: { id } }], gain: earns, next });
    }
    return moves;
  };
}

function startOf(story: Story, { state }: Seeded): Here {
  const open = Object.entries(records(state, story.items)).filter(([, job]) => num(job[story.end]) === 0);
  return {
    open: open.map(([id]) => id),
    clock: at(state, story.place, 'clock'),
    setting: settingOf(story, state),
  };
}

/** The best way that begins with a job, or any when none is named. */
function best(story: Story, world: Seeded, all: boolean, first?: string): Solution | null {
  const moves = movesOf(story, world, all);
  const start = startOf(story, world);
  if (first === undefined) return solve(start, moves);
  const opening = moves(start);
  const move = opening === 'end' ? undefined : opening.find(({ calls }) => isRun(calls[0], first));
  const rest = move && solve(move.next, moves);
  return move && rest ? { gain: move.gain + rest.gain, calls: [...move.calls, ...rest.calls] } : null;
}

const isRun = (call: Action | undefined, id: string) => call !== undefined && 'tool' in call && call.args.id === id;

function sample(rng: Rng, difficulty: number, story: Story): Seeded {
  const { place, items, setting, length, end, pay, drop, due, ledger } = story;
  const settings = words(rng, story.settings, 2, 0.3);
  const keys = ids(rng, rng.int(difficulty + 1, difficulty + 2));
  const names = words(rng, story.names, keys.length, 0.4);
  const clock = rng.chance(0.3) ? rng.int(1, 4) : 0;
  const jobs = keyed(keys, (_, i) => {
    const hours = rng.int(1, 7);
    return {
      for: names[i] ?? '',
      [setting]: rng.pick(settings),
      [length]: hours,
      ...(due === null ? {} : { [due]: clock + hours + rng.int(0, 8) }),
      [pay]: rng.int(15, 50),
      [drop]: rng.int(1, due === null ? 4 : 6),
      [end]: 0,
    };
  });
  const hours = Object.values(jobs).reduce<number>((sum, job) => sum + num((job as JsonObject)[length]), clock);
  const from = clock + rng.int(2, Math.max(3, Math.floor((hours - clock) / 2)));
  const present = new Set((Object.values(jobs) as JsonObject[]).map((job) => String(job[setting])));
  const [a = '', b] = rng.shuffle([...present]);
  const more = [
    { id: 'pause', params: { from, to: from + rng.int(2, 4) } },
    ...(b === undefined ? [] : [{ id: 'before', params: { a, b } }]),
    { id: 'latest', params: { time: hours - rng.int(0, 3) } },
    { id: 'bonus', params: { add: rng.int(3, 9), by: from } },
  ];
  const setup = { id: 'setup', params: { time: rng.int(1, 3) } };
  const rules = rng.chance(0.7)
    ? [setup, ...rng.sample(more, difficulty > 1 ? 2 : 1)]
    : rng.sample(more, difficulty > 1 ? 3 : 2);
  return {
    title: story.title,
    state: {
      [items]: jobs,
      [place]: { clock, [setting]: word(rng, settings, 0.2) },
      ledger: { [ledger]: rng.int(0, 40) },
    },
    rules: rng.shuffle(rules),
  };
}

type Goal = 'best' | 'hidden' | 'near' | 'first' | 'all';

function task(story: Story, world: Seeded, goal: Goal): TaskTemplate {
  return (rng) => {
    const { items, tools, ledger, end } = story;
    const start = startOf(story, world);
    const first = goal === 'first' ? rng.pick(start.open) : undefined;
    const solution = best(story, world, goal === 'all', first);
    if (!solution) return null;
    const near = () => nearTarget(rng, solution.gain, greedy(start, movesOf(story, world, false)));
    const target = at(world.state, 'ledger', ledger) + (goal === 'near' ? near() : solution.gain);
    const aims: { [name in Goal]: string } = {
      best: story.most,
      hidden: story.most,
      near: story.atLeast(target),
      first: `${story.most}, with ${String(first)} first`,
      all: `${story.most}, leaving none out`,
    };
    const own: Check[] = [];
    if (first !== undefined) {
      const rules = rulesIn(programOf(story), world);
      const alone = outcome(story, record(world.state, items, first) ?? {}, start, rules);
      own.push({ path: `/${items}/${pointerKey(first)}/${end}`, op: '==', value: alone.end });
    }
    if (goal === 'all')
      for (const id of start.open) own.push({ path: `/${items}/${pointerKey(id)}/${end}`, op: '!=', value: 0 });
    const looks: Action[] = [
      { tool: tools.report, args: {} },
      { tool: tools.list, args: {} },
      { tool: tools.look, args: { id: rng.pick(start.open) } },
    ];
    const shown = goal === 'best' || (goal !== 'hidden' && rng.chance(0.4));
    return {
      instruction: `${aims[goal]}.${shown ? ` ${shownJobs(story, world)}` : ''}`,
      plan: withLooks(rng, solution.calls, looks),
      checks: [{ path: `/ledger/${ledger}`, op: '>=', value: target }, ...own],
    };
  };
}

/** The parameters as a sentence: how long each job takes. */
function shownJobs(story: Story, { state }: Seeded): string {
  const jobs = Object.entries(records(state, story.items));
  const times = jobs.map(([id, job]) => `${id} takes ${num(job[story.length])}`);
  return `${enumerated(times)}.`;
}

export const schedule: Model = {
  stories: Object.keys(STORIES),
  program: (name) => programOf(storyOf(STORIES, name)),
  generate: (rng, difficulty, name) => {
    const story = storyOf(STORIES, name);
    return worthwhile(
      rng,
      (part) => sample(part, difficulty, story),
      (world) => rewardsForesight(startOf(story, world), movesOf(story, world, false)),
    );
  },
  tasks: (world, name) => {
    const story = storyOf(STORIES, name);
    const goals: readonly Goal[] = ['best', 'hidden', 'near', 'first', 'all'];
    return Object.fromEntries(goals.map((goal) => [goal, task(story, world, goal)]));
  },
};
