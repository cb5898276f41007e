/** Models that go from period to period: the calendar and the draws in the state, and the tasks they have in common. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, State } from '../../world/types';
import { drawState, nextDraw } from '../kit/draws';
import type { TaskTemplate } from '../kit/types';
import { at, enumerated, nearTarget, withLooks } from './shared';
import type { Solution } from './solver';

/** More periods than this are never looked ahead, whatever a hand edit says. */
const MOST = 6;

/** Words for the calendar: the period that comes next (`day`) and the last one (`days`). */
export interface Calendar {
  now: string;
  last: string;
}

/** A calendar and a cycle of draws, which starts anywhere. */
export function calendar(rng: Rng, { now, last }: Calendar, difficulty: number, low: number, high: number): JsonObject {
  const first = rng.chance(0.3) ? rng.int(2, 3) : 1;
  const length = rng.int(difficulty + 1, difficulty === 3 ? MOST : difficulty + 2);
  const draws = drawState(rng, rng.int(3, 3 + difficulty), low, high);
  const start = `d${rng.int(1, Object.keys(draws.draws as JsonObject).length)}`;
  return { [now]: first, [last]: first + length - 1, ...draws, draw: start };
}

/** The draws of the periods from now to the last. */
export function ahead(state: State, { now, last }: Calendar): { period: number; draw: number }[] {
  const first = at(state, now);
  const out: { period: number; draw: number }[] = [];
  let seen = state;
  for (let i = 0; i < MOST && first + i <= at(state, last); i++) {
    const { value, delta } = nextDraw(seen);
    out.push({ period: first + i, draw: value });
    seen = { ...seen, ...delta };
  }
  return out;
}

/** What the common tasks need to know of a world. */
export interface PeriodGame {
  state: State;
  calendar: Calendar;
  /** Member of the ledger that counts. */
  ledger: string;
  /** The best way through the periods up to this one. */
  best(last: number): Solution | null;
  /** What an agent without foresight gains until then. */
  shortSighted(last: number): number;
  /** `Run the bakery through day 4`. */
  goal(last: number): string;
  /** The tool that only lets a period pass. A plan of nothing else is no task. */
  idle: string;
  /** Parameters as sentences, for instructions that show them. */
  shown: string;
  /** `buyers`: what the draws are. */
  drawn: string;
  looks: readonly Action[];
}

/** Tasks: the optimum with the parameters in the instruction, without them, nearly the optimum, and fewer periods. */
export function periodTasks(game: PeriodGame): { readonly [name: string]: TaskTemplate } {
  const { state, calendar: names, looks } = game;
  const start = at(state, 'ledger', game.ledger);
  const first = at(state, names.now);
  const end = at(state, names.last);
  const task =
    (kind: 'best' | 'hidden' | 'near' | 'part'): TaskTemplate =>
    (rng) => {
      const last = kind === 'part' ? rng.int(Math.min(first + 1, end - 1), end - 1) : end;
      const solution = game.best(last);
      if (!solution?.calls.some((call) => 'tool' in call && call.tool !== game.idle)) return null;
      const target = kind === 'near' ? nearTarget(rng, solution.gain, game.shortSighted(last)) : solution.gain;
      const draws = ahead(state, names).filter(({ period }) => period <= last);
      const shown = kind === 'best' || (kind !== 'hidden' && rng.chance(0.5));
      const expected = rng.chance(0.5)
        ? ` The ${game.drawn} will be ${enumerated(draws.map(({ draw }) => draw))}.`
        : '';
      const most = [`end with the highest ${game.ledger}`, `make ${game.ledger} as high as possible`];
      const aim = kind === 'near' ? `end with ${game.ledger} at ${start + target} or more` : rng.pick(most);
      return {
        instruction: `${game.goal(last)} and ${aim}.${shown ? ` ${game.shown}${expected}` : ''}`,
        plan: withLooks(rng, solution.calls, looks),
        checks: [
          { path: `/ledger/${game.ledger}`, op: '>=', value: start + target },
          { path: `/${names.now}`, op: '==', value: last + 1 },
        ],
      };
    };
  return { best: task('best'), hidden: task('hidden'), near: task('near'), part: task('part') };
}
