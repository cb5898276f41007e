import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import type { Action, Rule, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import { records } from '../kit/types';
import { makeScenario } from '../kit/world';
import { num } from '../kit/read';
import { apps } from '.';

const STATE: State = {
  accounts: {
    ana: { password: 'kex4', plan: 'free', balance: 50 },
    ben: { password: 'lom7', plan: 'plus', balance: 20 },
    cleo: { password: 'wip1', plan: 'free', balance: 35 },
  },
  tokens: { t30: 'ana' },
  contacts: { ana: { ben: 'family' } },
  songs: {
    m1: { title: 'dawn', artist: 'mono', plays: 9 },
    m2: { title: 'river', artist: 'mono', plays: 40 },
    m3: { title: 'salt', artist: 'orbit', plays: 25 },
  },
  likes: { ana: { m3: true } },
  notes: { n1: { owner: 'ana', title: 'trip', text: 'map' }, n2: { owner: 'ben', title: 'gym', text: 'socks' } },
  next_note: 'n3',
  requests: { r1: { asker: 'cleo', payer: 'ana', amount: 18 }, r2: { asker: 'ana', payer: 'ben', amount: 5 } },
  next_token: 't31',
};
const program = apps.program({ apps: 'contacts music notes pay bills' });
const mine = { token: 't30' };

function rules(all: { [id: string]: Rule['params'] }): Rule[] {
  return Object.entries(all).map(([id, params]) => ({ id, params, text: '', enabled: true }));
}

/** Answers of calls, one after another, and the state after them. */
function run(standing: Rule[], ...calls: [tool: string, args: JsonObject][]) {
  let state = STATE;
  const answers = calls.map(([tool, args]) => {
    const action: Action = { tool, args };
    const { observation, delta, status } = stepProgram(program, state, standing, action, []);
    state = applyDelta(state, delta);
    return observation.kind === 'json' ? observation.value : `${status}: ${observation.text}`;
  });
  return { answers, state };
}

describe('apps', () => {
  test('a log-in gives the next token and ends the old one', () => {
    const { answers } = run(
      rules({ blocked: { user: 'ben' } }),
      ['balance', mine],
      ['login', { user: 'ana', password: 'wip1' }],
      ['login', { user: 'ben', password: 'lom7' }],
      ['login', { user: 'ana', password: 'kex4' }],
      ['balance', mine],
      ['balance', { token: 't31' }],
      ['login', { user: 'cleo', password: 'wip1' }],
      ['balance', { token: 't32' }],
    );
    expect(answers).toEqual([
      { user: 'ana', balance: 50 },
      'denied: Error: wrong password',
      'blocked: Error: ben cannot log in',
      { user: 'ana', token: 't31' },
      'denied: Error: invalid token',
      { user: 'ana', balance: 50 },
      { user: 'cleo', token: 't32' },
      { user: 'cleo', balance: 35 },
    ]);
  });

  test('payments move money, within the limits', () => {
    const limits = rules({ max_pay: { max: 20 }, contacts_only: { n: 10 }, keep_balance: { min: 15 } });
    const { answers, state } = run(
      limits,
      ['pay', { ...mine, user: 'ben', amount: 21 }],
      ['pay', { ...mine, user: 'cleo', amount: 11 }],
      ['pay', { ...mine, user: 'ana', amount: 1 }],
      ['pay', { ...mine, user: 'ben', amount: 20 }],
      ['pay', { ...mine, user: 'ben', amount: 16 }],
      ['pay', { ...mine, user: 'cleo', amount: 10 }],
    );
    expect(answers).toEqual([
      'too_high: Error: a payment is at most 20',
      'not_allowed: Error: over 10 is paid to contacts only',
      'conflict: Error: that is you',
      { user: 'ben', amount: 20, balance: 30 },
      'too_low: Error: no payment leaves a balance below 15',
      { user: 'cleo', amount: 10, balance: 20 },
    ]);
    expect(state.accounts).toMatchObject({ ana: { balance: 20 }, ben: { balance: 40 }, cleo: { balance: 45 } });
    expect(run([], ['pay', { ...mine, user: 'ben', amount: 51 }]).answers).toEqual(['too_low: Error: balance is 50']);
  });

  test('one sees and pays what is asked of oneself only', () => {
    const { answers, state } = run(
      [],
      ['requests', mine],
      ['accept', { ...mine, id: 'r2' }],
      ['accept', { ...mine, id: 'r1' }],
    );
    expect(answers).toEqual([
      [{ id: 'r1', asker: 'cleo', amount: 18 }],
      'not_found: Error: r2 not found',
      { user: 'cleo', amount: 18, balance: 32 },
    ]);
    expect(Object.keys(state.requests as JsonObject)).toEqual(['r2']);
    expect(state.accounts).toMatchObject({ ana: { balance: 32 }, cleo: { balance: 53 } });
  });

  test('no money is made or lost in any plan', () => {
    const money = (state: State) =>
      Object.values(records(state, 'accounts')).reduce((sum, account) => sum + num(account.balance), 0);
    let moved = 0;
    for (let seed = 0; seed < 60; seed++) {
      const { world, plan } = makeScenario(apps, seed, 1 + (seed % 3));
      const own = apps.program(world.twin?.spec);
      let state = world.state;
      for (const action of plan) {
        const { delta } = stepProgram(own, state, world.rules, action, []);
        if (JSON.stringify(delta).includes('balance')) moved++;
        state = applyDelta(state, delta);
      }
      expect(money(state)).toBe(money(world.state));
    }
    expect(moved).toBeGreaterThan(10);
  });

  test('songs are filtered, likes are counted and limited', () => {
    const terms = rules({ popular: { min: 10 }, plan: { artist: 'orbit', plan: 'plus' }, max_likes: { max: 2 } });
    const { answers } = run(
      terms,
      ['songs', { ...mine, artist: 'mono' }],
      ['like', { ...mine, song: 'm3' }],
      ['like', { ...mine, song: 'm1' }],
      ['like', { ...mine, song: 'm2' }],
      ['unlike', { ...mine, song: 'm3' }],
      ['like', { ...mine, song: 'm3' }],
    );
    expect(answers).toEqual([
      [{ id: 'm2', title: 'river', plays: 40, liked: false }],
      'conflict: Error: already liked',
      { song: 'm1', likes: 2 },
      'full: Error: likes are limited to 2 each',
      { song: 'm3', likes: 1 },
      'plan_needed: Error: liking songs of orbit needs plan plus',
    ]);
  });

  test('a note of the same title gets the new text; those of others are not there', () => {
    const { answers, state } = run(
      rules({ max_notes: { max: 2 } }),
      ['write_note', { ...mine, title: 'trip', text: 'tent' }],
      ['write_note', { ...mine, title: 'gym', text: 'soap' }],
      ['write_note', { ...mine, title: 'rent', text: 'friday' }],
      ['delete_note', { ...mine, id: 'n2' }],
      ['notes', mine],
    );
    expect(answers).toEqual([
      { id: 'n1', title: 'trip' },
      { id: 'n3', title: 'gym' },
      'full: Error: notes are limited to 2 each',
      'not_found: Error: n2 not found',
      [
        { id: 'n1', title: 'trip', text: 'tent' },
        { id: 'n3', title: 'gym', text: 'soap' },
      ],
    ]);
    expect(state.next_note).toBe('n4');
  });

  test('contacts are added, regrouped and removed', () => {
    const { answers } = run(
      rules({ max_contacts: { max: 1 }, keep_group: { group: 'work' } }),
      ['set_contact', { ...mine, user: 'cleo', group: 'work' }],
      ['set_contact', { ...mine, user: 'ben', group: 'work' }],
      ['remove_contact', { ...mine, user: 'ben' }],
      ['contacts', mine],
    );
    expect(answers).toEqual([
      'full: Error: contacts are limited to 1 each',
      { user: 'ben', group: 'work' },
      'not_allowed: Error: work contacts cannot be removed',
      [{ user: 'ben', group: 'work' }],
    ]);
  });

  test('a spec that names no app is refused', () => {
    expect(() => apps.program({ apps: 'mail' })).toThrow('there is no app "mail"');
    expect(() => apps.program(undefined)).toThrow();
  });
});
