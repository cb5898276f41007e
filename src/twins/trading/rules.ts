/** Rules of trading: a fee, and limits on what is ordered, held and moved. */
import type { JsonScalar } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { State } from '../../world/types';
import { records, type RuleDef, type Seeded } from '../kit/types';

type Param = JsonScalar | undefined;

const above = (value: Param, max: Param) => Number(value) > Number(max);

/** `1 share`, `2 shares`. */
const count = (n: Param, thing: string) => `${String(n)} ${thing}${String(n) === '1' ? '' : 's'}`;

export const RULES: readonly RuleDef[] = [
  {
    id: 'fee',
    text: ({ fee }) => `each trade costs ${String(fee)} in fees`,
  },
  {
    id: 'halted',
    code: 'halted',
    text: ({ symbol }) => `no trades or orders in ${String(symbol)}`,
    violated: ({ symbol }, facts) => facts.symbol === symbol,
  },
  {
    id: 'max_qty',
    code: 'too_many',
    text: ({ max }) => `at most ${count(max, 'share')} a trade or order`,
    violated: ({ max }, facts) => above(String(facts.qty), max),
  },
  {
    id: 'short',
    code: 'short',
    text: ({ min }) => `no trade leaves a position below ${String(min)}`,
    violated: ({ min }, facts) => Number(facts.position) < Number(min),
  },
  {
    id: 'max_position',
    code: 'too_many',
    text: ({ max }) => `no trade leaves more than ${count(max, 'share')} of a symbol`,
    violated: ({ max }, facts) => above(String(facts.position), max),
  },
  {
    id: 'min_cash',
    code: 'low_cash',
    text: ({ min }) => `no trade or transfer leaves cash below ${String(min)}`,
    violated: ({ min }, facts) => Number(facts.cash) < Number(min),
  },
  {
    id: 'max_transfer',
    code: 'too_high',
    text: ({ max }) => `a transfer is at most ${String(max)}`,
    violated: ({ max }, facts) => above(String(facts.amount), max),
  },
  {
    id: 'max_orders',
    code: 'full',
    text: ({ max }) => `at most ${count(max, 'waiting order')} an account`,
    violated: ({ max }, facts) => above(String(facts.orders), max),
  },
];

/** Some of the rules, such that the state breaks none of them. */
export function someRules(rng: Rng, state: State, n: number): Seeded['rules'] {
  const symbols = Object.keys(records(state, 'quotes'));
  const accounts = Object.values(records(state, 'accounts'));
  const held = Math.max(...accounts.flatMap((account) => symbols.map((symbol) => Number(account[symbol] ?? 0))));
  const waiting = Object.values(records(state, 'orders'));
  const most = Math.max(
    ...Object.keys(records(state, 'accounts')).map((key) => waiting.filter(({ account }) => account === key).length),
  );
  const largest = Math.max(0, ...waiting.map(({ qty }) => Number(qty)));
  const free = symbols.filter((symbol) => !waiting.some((order) => order.symbol === symbol));
  const poorest = Math.min(...accounts.map(({ cash }) => Number(cash)));
  const limits: Seeded['rules'] = [
    { id: 'max_qty', params: { max: Math.max(largest, rng.int(3, 8)) } },
    { id: 'max_position', params: { max: Math.max(held, rng.int(5, 12)) } },
    { id: 'min_cash', params: { min: Math.min(poorest, rng.int(1, 5) * 10) } },
    { id: 'max_transfer', params: { max: rng.int(2, 8) * 5 } },
    { id: 'max_orders', params: { max: Math.max(most, rng.int(1, 2)) } },
    ...(free.length > 0 ? [{ id: 'halted', params: { symbol: rng.pick(free) } }] : []),
  ];
  // The fee and the ban on short sales are what most desks have.
  const usual: Seeded['rules'] = [
    { id: 'fee', params: { fee: rng.int(1, 5) } },
    { id: 'short', params: { min: rng.chance(0.8) ? 0 : -rng.int(1, 3) } },
  ];
  const first = usual.filter(() => rng.chance(0.6));
  return rng.shuffle([...first, ...rng.shuffle(limits)].slice(0, n));
}
