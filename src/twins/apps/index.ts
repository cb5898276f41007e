/**
 * Apps behind one log-in: music, notes, payments, bills, contacts. A world has two of them; most calls need the token that a
 * log-in gives and the state shows. Held out: never in the corpus.
 */
import { get, type JsonObject } from '../../world/json';
import type { Family, Program } from '../kit/types';
import { text } from '../kit/read';
import { ACCOUNTS, type App } from './accounts';
import { CONTACTS } from './contacts';
import { generate, type AppName } from './generate';
import { MUSIC } from './music';
import { NOTES } from './notes';
import { BILLS, PAY } from './pay';
import { TASKS } from './tasks';

const APPS: { readonly [app in AppName]: App } = {
  contacts: CONTACTS,
  music: MUSIC,
  notes: NOTES,
  pay: PAY,
  bills: BILLS,
};

/** Tools and rules of the apps of a world; one that two apps have is there once. */
function program(spec: JsonObject | undefined): Program {
  const names = text(spec && get(spec, 'apps')).split(' ');
  const apps = names.map((name) => {
    if (!Object.hasOwn(APPS, name)) throw new Error(`there is no app "${name.slice(0, 40)}"`);
    return APPS[name as AppName];
  });
  const tools = [ACCOUNTS, ...apps].flatMap((app) => app.tools);
  const rules = [ACCOUNTS, ...apps].flatMap((app) => app.rules);
  return { tools: [...new Set(tools)], rules: [...new Set(rules)] };
}

export const apps: Family = {
  name: 'apps',
  title: 'Apps',
  line: 'Accounts with log-in tokens and two apps each: music, notes, payments, contacts.',
  heldOut: true,
  failCodes: ['timeout', 'session_expired', 'rate_limited', 'unavailable'],
  program,
  generate,
  tasks: () => TASKS,
};
