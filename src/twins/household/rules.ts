/** Rules of the house. Most forbid; `hands` sets how much can be held. */
import type { RuleDef } from '../kit/types';

/** What the tools do, as the rules put it. */
export const DONE: { readonly [tool: string]: string } = { clean: 'cleaned', heat: 'heated', cool: 'cooled' };

export const RULES: readonly RuleDef[] = [
  {
    id: 'hands',
    text: ({ max }) => `you can hold ${String(max)} things`,
  },
  {
    id: 'dark',
    text: ({ place, lamp }) => `it is too dark to see at the ${String(place)} while the ${String(lamp)} is off`,
  },
  {
    id: 'shut',
    code: 'left_open',
    text: ({ place }) => `close the ${String(place)} before you leave it`,
    violated: ({ place }, facts) => facts.from === place && facts.door === 'open',
  },
  {
    id: 'keep_room',
    code: 'not_allowed',
    text: ({ kind, room }) => `no ${String(kind)} leaves the ${String(room)}`,
    violated: ({ kind, room }, facts) =>
      facts.fromRoom === room && facts.toRoom !== room && facts[`holds_${String(kind)}`] === true,
  },
  {
    id: 'clean_only',
    code: 'dirty',
    text: ({ place }) => `the ${String(place)} takes only clean things`,
    violated: ({ place }, facts) => facts.place === place && facts.clean !== true,
  },
  {
    id: 'too_hot',
    code: 'too_hot',
    text: ({ place, max }) => `the ${String(place)} takes nothing above ${String(max)} degrees`,
    violated: ({ place, max }, facts) => facts.place === place && Number(facts.temp) > Number(max),
  },
  {
    id: 'max_in',
    code: 'full',
    text: ({ place, max }) => `the ${String(place)} has room for ${String(max)}`,
    violated: ({ place, max }, facts) => facts.place === place && Number(facts.count) > Number(max),
  },
  {
    id: 'only_kind',
    code: 'wrong_kind',
    text: ({ kind, done }) => `only ${String(kind)} can be ${String(done)}`,
    violated: ({ kind, done }, facts) => facts.done === done && facts.kind !== kind,
  },
];
