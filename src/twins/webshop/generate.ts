/** Worlds of the shop: goods, a cart that someone has begun, coupons, an order of before, and the shop's terms. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import { coined, ids, keyed, nextId, words } from '../kit/ids';
import { records, type Seeded } from '../kit/types';
import { num } from '../kit/read';
import { costOf, optionsOf, type RuleOf } from './pricing';
import { CATEGORIES, COLORS, GOODS, SIZES } from './words';

/** The rules of a world as its tools read them. */
export function rulesOf(rules: Seeded['rules']): RuleOf {
  return (id) => {
    const rule = rules.find((one) => one.id === id);
    return rule && Object.fromEntries(Object.entries(rule.params).map(([key, value]) => [key, String(value)]));
  };
}

export function generate(rng: Rng, difficulty: number): Seeded {
  // What a category is called need not be what it holds: a share of the names is coined.
  const kinds = rng.sample(CATEGORIES, 2).map((kind) => ({ kind, category: rng.chance(0.25) ? coined(rng) : kind }));
  const goods = kinds.map(({ kind }) => words(rng, GOODS[kind] ?? [], 3, 0.4));
  const itemIds = ids(rng, difficulty > 1 ? 4 : 3, undefined, 2);
  const items = keyed(itemIds, (_, i) => {
    const at = i < 2 ? i : rng.int(0, 1);
    const name = goods[at]?.pop() ?? '';
    const options = optionField(rng, kinds[at]?.kind ?? '');
    return { name, category: kinds[at]?.category ?? '', price: rng.int(5, 60), stock: rng.int(0, 9), ...options };
  });
  const shipping = { id: 'shipping', params: { fee: rng.int(3, 12), min: rng.int(4, 14) * 10 } };
  const others: Seeded['rules'] = [
    { id: 'bulk', params: { n: rng.int(2, 4), off: rng.int(1, 4) } },
    { id: 'min_order', params: { min: rng.int(4, 12) * 10 } },
    { id: 'max_qty', params: { max: rng.int(1, 4) } },
    { id: 'max_lines', params: { max: rng.int(2, 3) } },
    { id: 'no_coupon', params: { category: rng.pick(kinds).category } },
    { id: 'hide', params: { min: rng.int(1, 3) } },
    { id: 'sort', params: { field: rng.pick(['price', 'stock']) } },
  ];
  // Most shops charge for shipping, so half of these do.
  const count = difficulty > 1 ? 3 : 2;
  const rules = rng.chance(0.5) ? [shipping, ...rng.sample(others, count - 1)] : rng.sample(others, count);
  const orders = ids(rng, 1, undefined, 2);
  return {
    title: 'Web shop',
    state: {
      items,
      cart: cart(rng, items, rng.chance(0.25) ? 0 : rng.int(1, 2), rulesOf(rules)),
      coupons: keyed(ids(rng, difficulty > 1 ? 2 : rng.int(1, 2), undefined, 2), () => coupon(rng)),
      basket: { coupon: '' },
      orders: keyed(orders, () => ({ total: rng.int(20, 250) })),
      next: nextId(orders),
    },
    rules,
  };
}

/** `size` for most clothes, `color` for most other things, nothing for what comes in one kind. */
function optionField(rng: Rng, kind: string): JsonObject {
  if (rng.chance(0.4)) return {};
  const sized = kind === 'clothes' && rng.chance(0.6);
  if (!sized) return { color: words(rng, COLORS, 2, 0.2).join(' ') };
  const from = rng.int(0, 3);
  return { size: SIZES.slice(from, from + rng.int(2, 3)).join(' ') };
}

function coupon(rng: Rng): JsonObject {
  const min = rng.int(2, 6) * 10;
  if (rng.chance(0.5)) return { percent: rng.pick([10, 20, 50]), min };
  return { off: rng.int(3, Math.min(min - 5, 30)), min };
}

/** A cart with lines that the shop's terms allow. */
function cart(rng: Rng, items: JsonObject, lines: number, rule: RuleOf): JsonObject {
  const keys = rng.sample(Object.keys(items), Math.min(lines, Number(rule('max_lines')?.max ?? lines)));
  const most = Math.min(3, Number(rule('max_qty')?.max ?? 3));
  return keyed(keys, (key) => {
    const item = records({ items }, 'items')[key] ?? {};
    const qty = rng.int(1, most);
    const options = optionsOf(item);
    const option = options.length === 0 ? {} : { option: rng.pick(options) };
    return { qty, cost: costOf(num(item.price), qty, rule), ...option };
  });
}
