/** A trading desk: accounts with cash and shares, quotes, and orders that wait. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import { idPrefix, ids, keyed, letters, nextId } from '../kit/ids';
import type { Family, Seeded } from '../kit/types';
import { PROGRAM } from './program';
import { someRules } from './rules';
import { TASKS } from './tasks';

/** Ids of mostly two digits: they are all over the state, and short ones keep it small. */
function someIds(rng: Rng, n: number): string[] {
  return ids(rng, n, idPrefix(rng), rng.chance(0.25) ? 3 : 2);
}

/** Different symbols of two to four capital letters. */
function someSymbols(rng: Rng, n: number): string[] {
  const out = new Set<string>();
  while (out.size < n) out.add(letters(rng, rng.int(2, 4)).toUpperCase());
  return [...out];
}

function generate(rng: Rng, difficulty: number): Seeded {
  const symbols = someSymbols(rng, difficulty > 1 ? 3 : 2);
  const quotes = keyed(symbols, () => {
    const bid = rng.int(3, 24);
    return { bid, ask: bid + rng.int(1, 2) };
  });
  const accountIds = someIds(rng, difficulty > 2 ? 3 : 2);
  const accounts = keyed(accountIds, () => {
    const shares = rng.sample(symbols, rng.int(1, 2)).map((symbol) => [symbol, rng.int(1, 9)] as const);
    return { cash: rng.int(15, 160), ...Object.fromEntries(shares) };
  });
  const orderIds = someIds(rng, rng.int(1, Math.max(difficulty, 2)));
  const orders = keyed(orderIds, () => {
    const account = rng.pick(accountIds);
    const side = rng.pick(['buy', 'sell']);
    const { cash: _, ...shares } = accounts[account] as { [symbol: string]: number };
    // People sell what they have.
    const symbol = side === 'buy' ? rng.pick(symbols) : rng.pick(Object.keys(shares));
    const { bid, ask } = quotes[symbol] as { bid: number; ask: number };
    // About half of them can be filled.
    const limit = Math.max(1, (side === 'buy' ? ask : bid) + rng.int(-3, 3));
    const qty = rng.int(1, side === 'buy' ? 4 : (shares[symbol] ?? 1));
    return { account, symbol, side, qty, limit };
  });
  const state: JsonObject = { accounts, quotes, orders, nextOrder: nextId(orderIds), fees: rng.int(0, 40) };
  return { title: 'Trading desk', state, rules: someRules(rng, state, difficulty > 1 ? rng.int(3, 4) : 2) };
}

export const trading: Family = {
  name: 'trading',
  title: 'Trading desk',
  line: 'Quotes, trades with fees, waiting orders, positions, cash and transfers.',
  heldOut: false,
  failCodes: ['timeout', 'market_closed', 'rate_limited', 'rejected'],
  program: () => PROGRAM,
  generate,
  tasks: () => TASKS,
};
