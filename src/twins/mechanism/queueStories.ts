/** Cover stories of the queue. */
import type { Calendar } from './periods';

export interface Story {
  title: string;
  tools: { report: string; forecast: string; quote: string; admit: string; refuse: string };
  /** `call` and `calls`: which customer comes next, and the last one. */
  calendar: Calendar;
  place: string;
  /** Work ahead, what is done between two customers, what one pays, how many were turned away. */
  work: string;
  pace: string;
  pay: string;
  refused: string;
  ledger: string;
  /** What the draw is. */
  size: string;
  unit: string;
  units: string;
  admitted: string;
  turned: string;
  /** `are worked off`: what happens to work. */
  doing: string;
  run: string;
}

export const STORIES: { readonly [name: string]: Story } = {
  helpdesk: {
    title: 'Help desk',
    tools: {
      report: 'desk_report',
      forecast: 'coming_calls',
      quote: 'try_call',
      admit: 'take_call',
      refuse: 'decline_call',
    },
    calendar: { now: 'call', last: 'calls' },
    place: 'desk',
    work: 'backlog',
    pace: 'pace',
    pay: 'pay',
    refused: 'declined',
    ledger: 'points',
    size: 'minutes',
    unit: 'minute',
    units: 'minutes',
    admitted: 'taken',
    turned: 'declined',
    doing: 'are worked off',
    run: 'Answer the help desk',
  },
  tollgate: {
    title: 'Toll gate',
    tools: {
      report: 'gate_status',
      forecast: 'trucks_on_road',
      quote: 'toll_if_let_in',
      admit: 'open_gate',
      refuse: 'wave_on',
    },
    calendar: { now: 'truck', last: 'trucks' },
    place: 'gate',
    work: 'queue',
    pace: 'clears',
    pay: 'toll',
    refused: 'waved_on',
    ledger: 'income',
    size: 'tons',
    unit: 'ton',
    units: 'tons',
    admitted: 'let in',
    turned: 'waved on',
    doing: 'go through',
    run: 'Mind the toll gate',
  },
  barber: {
    title: 'Barber shop',
    tools: {
      report: 'bench_state',
      forecast: 'guest_list',
      quote: 'price_guest',
      admit: 'seat_guest',
      refuse: 'send_away',
    },
    calendar: { now: 'guest', last: 'guests' },
    place: 'bench',
    work: 'line',
    pace: 'speed',
    pay: 'charge',
    refused: 'sent_away',
    ledger: 'tips',
    size: 'cuts',
    unit: 'cut',
    units: 'cuts',
    admitted: 'seated',
    turned: 'sent away',
    doing: 'get done',
    run: 'Keep the barber shop',
  },
};
