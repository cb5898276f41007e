/** The notes app: each account sees, writes and deletes its own. */
import { get } from '../../world/json';
import type { State } from '../../world/types';
import { listAnswer, notFound, recordAnswer } from '../kit/answer';
import { freshId } from '../kit/ids';
import { listOf, shape } from '../kit/schema';
import { record, records, type Records } from '../kit/types';
import { text } from '../kit/read';
import { signed, TOKEN, type App } from './accounts';

/** The notes of an account. */
export function notesOf(state: State, user: string): Records {
  return Object.fromEntries(Object.entries(records(state, 'notes')).filter(([, note]) => note.owner === user));
}

export const NOTES: App = {
  rules: [
    {
      id: 'max_notes',
      code: 'full',
      text: ({ max }) => `notes are limited to ${String(max)} each`,
      violated: ({ max }, facts) => Number(facts.notes) > Number(max),
    },
    {
      id: 'keep_note',
      code: 'not_allowed',
      text: ({ title }) => `${String(title)} notes cannot be deleted`,
      violated: ({ title }, facts) => facts.title === title,
    },
  ],
  tools: [
    {
      name: 'notes',
      description: 'Your notes',
      input: { token: TOKEN },
      output: listOf('id@notes title text'),
      readOnly: true,
      apply: signed(({ state }, user) =>
        listAnswer(
          Object.entries(notesOf(state, user)).map(([id, note]) => ({
            id,
            title: text(note.title),
            text: text(note.text),
          })),
        ),
      ),
    },
    {
      name: 'write_note',
      description: 'New, or new text of that title',
      input: { token: TOKEN, title: { type: 'string', maxLength: 12 }, text: { type: 'string', maxLength: 20 } },
      output: shape('id@notes title'),
      of: 'notes',
      readOnly: false,
      apply: signed((call, owner) => {
        const { state, args } = call;
        const own = Object.entries(notesOf(state, owner));
        const title = text(args.title);
        const line = text(args.text);
        const old = own.find(([, note]) => note.title === title)?.[0];
        if (old !== undefined) return recordAnswer({ id: old, title }, { notes: { [old]: { text: line } } });
        const refused = call.forbidden({ notes: own.length + 1 }, 'max_notes');
        if (refused) return refused;
        const id = text(get(state, 'next_note'));
        return recordAnswer({ id, title }, { notes: { [id]: { owner, title, text: line } }, next_note: freshId(id) });
      }),
    },
    {
      name: 'delete_note',
      description: 'Deletes yours',
      input: { token: TOKEN, id: { type: 'string', from: 'notes' } },
      output: shape('id@notes title'),
      readOnly: false,
      destructive: true,
      apply: signed((call, owner) => {
        const note = record(call.state, 'notes', call.args.id);
        if (note?.owner !== owner) return notFound(call.args.id);
        const id = String(call.args.id);
        const title = text(note.title);
        const refused = call.forbidden({ title }, 'keep_note');
        return refused ?? recordAnswer({ id, title }, { notes: { [id]: null } });
      }),
    },
  ],
};
