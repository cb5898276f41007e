/** Rules of the house. Most forbid; `hands` sets how much can be carried. */
import type { RuleDef } from '../kit/types';

/** What the tools do, as the rules put it. */
export const DONE: { readonly [tool: string]: string } = { clean: 'cleaned', heat: 'heated', cool: 'cooled' };

export const RULES: readonly RuleDef[] = [
  {
    id: 'hands',
    text: ({ max }) => `you can carry ${String(max)} things`,
  },
  {
    id: 'shut',
    code: 'left_open',
    text: ({ place }) => `the ${String(place)} must be closed before you leave it`,
    violated: ({ place }, facts) => facts.from === place && facts.door === 'open',
  },
  {
    id: 'keep_room',
    code: 'not_allowed',
    text: ({ kind, room }) => `no ${String(kind)} leaves the ${String(room)}`,
    violated: ({ kind, room }, facts) =>
      facts.fromRoom === room && facts.toRoom !== room && facts[`carries_${String(kind)}`] === true,
  },
  {
    id: 'clean_only',
    code: 'dirty',
    text: ({ place }) => `only clean things go to the ${String(place)}`,
    violated: ({ place }, facts) => facts.place === place && facts.clean !== true,
  },
  {
    id: 'too_hot',
    code: 'too_hot',
    text: ({ place, max }) => `nothing above ${String(max)} degrees goes to the ${String(place)}`,
    violated: ({ place, max }, facts) => facts.place === place && Number(facts.temp) > Number(max),
  },
  {
    id: 'max_in',
    code: 'full',
    text: ({ place, max }) => `the ${String(place)} holds at most ${String(max)} things`,
    violated: ({ place, max }, facts) => facts.place === place && Number(facts.count) > Number(max),
  },
  {
    id: 'only_kind',
    code: 'wrong_kind',
    text: ({ kind, done }) => `only ${String(kind)} can be ${String(done)}`,
    violated: ({ kind, done }, facts) => facts.done === done && facts.kind !== kind,
  },
  {
    id: 'clean_first',
    code: 'dirty',
    text: ({ done }) => `nothing dirty can be ${String(done)}`,
    violated: ({ done }, facts) => facts.done === done && facts.clean !== true,
  },
];
