/** Cover stories of the single machine. */
import { CARGOES, CLIENTS, CLOTHS, DOUGHS, INKS } from './words';

export interface Story {
  title: string;
  tools: { report: string; list: string; look: string; attempt: string; run: string };
  /** Collection, and what a record is called. */
  items: string;
  one: string;
  place: string;
  /** Setting of the machine, which a job asks for. */
  setting: string;
  settings: readonly string[];
  /** Time on the machine, when the job has ended (0 before), what it pays, what it loses for each unit of time. */
  length: string;
  end: string;
  pay: string;
  drop: string;
  /** Time until which nothing is lost, where lateness counts; otherwise all time to the end does. */
  due: string | null;
  unit: string;
  ledger: string;
  most: string;
  atLeast(target: number): string;
  names: readonly string[];
}

export const STORIES: { readonly [name: string]: Story } = {
  printer: {
    title: 'Print shop',
    tools: {
      report: 'printer_status',
      list: 'waiting_jobs',
      look: 'show_job',
      attempt: 'preview_job',
      run: 'print_job',
    },
    items: 'jobs',
    one: 'job',
    place: 'printer',
    setting: 'ink',
    settings: INKS,
    length: 'hours',
    end: 'done',
    pay: 'pay',
    drop: 'drop',
    due: null,
    unit: 'hour',
    ledger: 'earned',
    most: 'Print in the order that earns the most',
    atLeast: (target) => `Print so that ${target} or more is earned`,
    names: CLIENTS,
  },
  oven: {
    title: 'Oven',
    tools: { report: 'oven_state', list: 'trays_left', look: 'tray_card', attempt: 'plan_tray', run: 'bake_tray' },
    items: 'trays',
    one: 'tray',
    place: 'oven',
    setting: 'dough',
    settings: DOUGHS,
    length: 'bakes',
    end: 'out_at',
    pay: 'price',
    drop: 'fine',
    due: 'due',
    unit: 'minute',
    ledger: 'sales',
    most: 'Bake for the highest sales',
    atLeast: (target) => `Bake for sales of ${target} or more`,
    names: CLIENTS,
  },
  dock: {
    title: 'Dock',
    tools: {
      report: 'berth_report',
      list: 'ships_waiting',
      look: 'ship_info',
      attempt: 'forecast_ship',
      run: 'unload',
    },
    items: 'ships',
    one: 'ship',
    place: 'berth',
    setting: 'gear',
    settings: CARGOES,
    length: 'days',
    end: 'left_on',
    pay: 'fee',
    drop: 'wait_cost',
    due: null,
    unit: 'day',
    ledger: 'revenue',
    most: 'Unload ships for the most revenue',
    atLeast: (target) => `Unload ships until revenue is ${target} or more`,
    names: CLIENTS,
  },
  tailor: {
    title: 'Tailor',
    tools: { report: 'bench_note', list: 'open_orders', look: 'read_order', attempt: 'check_order', run: 'sew_order' },
    items: 'orders',
    one: 'order',
    place: 'bench',
    setting: 'cloth',
    settings: CLOTHS,
    length: 'hours',
    end: 'ready_at',
    pay: 'price',
    drop: 'rebate',
    due: 'promised',
    unit: 'hour',
    ledger: 'cash',
    most: 'Sew in the order that brings the most cash',
    atLeast: (target) => `Sew until there is ${target} cash or more`,
    names: CLIENTS,
  },
};
