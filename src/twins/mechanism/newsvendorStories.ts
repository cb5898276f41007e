/** Cover stories of the newsvendor. */
import type { Calendar } from './periods';

export interface Story {
  title: string;
  tools: { report: string; forecast: string; attempt: string; order: string; advance: string };
  calendar: Calendar;
  /** Where the figures stand, and their names. */
  place: string;
  order: string;
  gain: string;
  loss: string;
  ledger: string;
  unit: string;
  units: string;
  buyer: string;
  buyers: string;
  run: string;
}

export const STORIES: { readonly [name: string]: Story } = {
  bakery: {
    title: 'Bakery',
    tools: {
      report: 'shop_report',
      forecast: 'expected_buyers',
      attempt: 'try_batch',
      order: 'set_batch',
      advance: 'sell_day',
    },
    calendar: { now: 'day', last: 'days' },
    place: 'shop',
    order: 'batch',
    gain: 'gain',
    loss: 'loss',
    ledger: 'profit',
    unit: 'loaf',
    units: 'loaves',
    buyer: 'buyer',
    buyers: 'buyers',
    run: 'Run the bakery',
  },
  newsstand: {
    title: 'Newsstand',
    tools: {
      report: 'stand_status',
      forecast: 'next_readers',
      attempt: 'what_if',
      order: 'change_bundle',
      advance: 'open_stand',
    },
    calendar: { now: 'morning', last: 'mornings' },
    place: 'stand',
    order: 'bundle',
    gain: 'earns',
    loss: 'loses',
    ledger: 'coins',
    unit: 'paper',
    units: 'papers',
    buyer: 'reader',
    buyers: 'readers',
    run: 'Look after the newsstand',
  },
  florist: {
    title: 'Florist',
    tools: {
      report: 'stall_summary',
      forecast: 'market_outlook',
      attempt: 'estimate',
      order: 'cut_flowers',
      advance: 'hold_market',
    },
    calendar: { now: 'market', last: 'markets' },
    place: 'stall',
    order: 'cut',
    gain: 'margin',
    loss: 'wilt',
    ledger: 'takings',
    unit: 'bunch',
    units: 'bunches',
    buyer: 'guest',
    buyers: 'guests',
    run: 'Keep the flower stall',
  },
};
