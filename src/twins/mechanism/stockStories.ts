/** Cover stories of stock control. */
import type { Calendar } from './periods';

export interface Story {
  title: string;
  tools: { report: string; forecast: string; quote: string; order: string; advance: string };
  calendar: Calendar;
  /** Where the figures stand, and their names. */
  place: string;
  stock: string;
  ordered: string;
  cost: string;
  price: string;
  ledger: string;
  unit: string;
  units: string;
  demand: string;
  /** What happens to a unit that is asked for. */
  used: string;
  run: string;
}

export const STORIES: { readonly [name: string]: Story } = {
  warehouse: {
    title: 'Warehouse',
    tools: {
      report: 'store_report',
      forecast: 'demand_ahead',
      quote: 'order_price',
      order: 'order_pallets',
      advance: 'end_week',
    },
    calendar: { now: 'week', last: 'weeks' },
    place: 'store',
    stock: 'pallets',
    ordered: 'ordered',
    cost: 'cost',
    price: 'price',
    ledger: 'profit',
    unit: 'pallet',
    units: 'pallets',
    demand: 'demand',
    used: 'sold',
    run: 'Run the warehouse',
  },
  clinic: {
    title: 'Clinic pharmacy',
    tools: {
      report: 'fridge_check',
      forecast: 'patients_ahead',
      quote: 'delivery_cost',
      order: 'request_doses',
      advance: 'close_day',
    },
    calendar: { now: 'day', last: 'days' },
    place: 'fridge',
    stock: 'doses',
    ordered: 'requested',
    cost: 'fee',
    price: 'grant',
    ledger: 'budget',
    unit: 'dose',
    units: 'doses',
    demand: 'patients',
    used: 'given',
    run: 'Supply the clinic',
  },
  garage: {
    title: 'Tyre garage',
    tools: {
      report: 'rack_count',
      forecast: 'bookings',
      quote: 'tyre_bill',
      order: 'buy_tyres',
      advance: 'work_shift',
    },
    calendar: { now: 'shift', last: 'shifts' },
    place: 'rack',
    stock: 'tyres',
    ordered: 'bought',
    cost: 'buys_at',
    price: 'fits_at',
    ledger: 'till',
    unit: 'tyre',
    units: 'tyres',
    demand: 'wanted',
    used: 'fitted',
    run: 'Keep the garage in tyres',
  },
};
