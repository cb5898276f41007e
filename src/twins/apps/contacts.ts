/** The address book: who knows whom, in which group. One record an owner, one member a contact. */
import { emptyObject } from '../../world/json';
import { errorAnswer, listAnswer, notFound, recordAnswer } from '../kit/answer';
import { listOf, shape } from '../kit/schema';
import { record, type ArgSpec, type ToolDef } from '../kit/types';
import { text } from '../kit/read';
import { signed, TOKEN, USER, type App } from './accounts';
import { GROUPS } from './words';

const GROUP: ArgSpec = { type: 'string', enum: GROUPS };

/** Looking up contacts: also part of the payment app. */
export const LIST_CONTACTS: ToolDef = {
  name: 'contacts',
  description: 'Your contacts',
  input: { token: TOKEN },
  output: listOf('user@accounts group'),
  readOnly: true,
  apply: signed(({ state }, user) => {
    const own = Object.entries(record(state, 'contacts', user) ?? {});
    return listAnswer(own.map(([name, group]) => ({ user: name, group: text(group) })));
  }),
};

export const CONTACTS: App = {
  rules: [
    {
      id: 'max_contacts',
      code: 'full',
      text: ({ max }) => `contacts are limited to ${String(max)} each`,
      violated: ({ max }, facts) => Number(facts.contacts) > Number(max),
    },
    {
      id: 'keep_group',
      code: 'not_allowed',
      text: ({ group }) => `${String(group)} contacts cannot be removed`,
      violated: ({ group }, facts) => facts.group === group,
    },
  ],
  tools: [
    LIST_CONTACTS,
    {
      name: 'set_contact',
      description: 'Adds or regroups one',
      input: { token: TOKEN, user: USER, group: GROUP },
      output: shape('user@accounts group'),
      readOnly: false,
      apply: signed((call, owner) => {
        const { state, args } = call;
        const user = String(args.user);
        if (!record(state, 'accounts', user)) return notFound(args.user);
        if (user === owner) return errorAnswer('conflict', 'that is you');
        const own = record(state, 'contacts', owner) ?? emptyObject();
        const isNew = !Object.hasOwn(own, user);
        const refused = isNew ? call.forbidden({ contacts: Object.keys(own).length + 1 }, 'max_contacts') : undefined;
        const group = text(args.group);
        return refused ?? recordAnswer({ user, group }, { contacts: { [owner]: { [user]: group } } });
      }),
    },
    {
      name: 'remove_contact',
      description: 'Removes one',
      input: { token: TOKEN, user: USER },
      output: shape('user@accounts'),
      readOnly: false,
      destructive: true,
      apply: signed((call, owner) => {
        const user = String(call.args.user);
        const own = record(call.state, 'contacts', owner) ?? emptyObject();
        if (!Object.hasOwn(own, user)) return notFound(call.args.user);
        const refused = call.forbidden({ group: own[user] ?? '' }, 'keep_group');
        return refused ?? recordAnswer({ user }, { contacts: { [owner]: { [user]: null } } });
      }),
    },
  ],
};
