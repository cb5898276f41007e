/** A small library: documents that contradict each other, links between them, notes, citations and one answer. */
import { get, isObject, type Json, type JsonObject } from '../../world/json';
import type { State } from '../../world/types';
import { errorAnswer, listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { freshId } from '../kit/ids';
import { listOf, shape } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Family, type Program } from '../kit/types';
import { generate } from './generate';
import { CITING, citeFacts, RULES } from './rules';
import { TASKS } from './tasks';

const doc: ArgSpec = { type: 'string', from: 'docs' };
const noteId: ArgSpec = { type: 'string', from: 'notes' };
const text: ArgSpec = { type: 'string', maxLength: 48 };

const PROGRAM: Program = {
  rules: RULES,
  tools: [
    {
      name: 'search',
      description: 'In title or topic',
      input: { word: { type: 'string', maxLength: 24 } },
      output: listOf('id@docs year:int'),
      readOnly: true,
      apply: (call) => {
        const word = String(call.args.word);
        const hits = Object.entries(records(call.state, 'docs')).filter(
          ([, { title, topic }]) => String(title).includes(word) || String(topic).includes(word),
        );
        const most = Number(call.rule('hits')?.max ?? hits.length);
        return listAnswer(hits.slice(0, most).map(([id, { year }]) => ({ id, year: year ?? 0 })));
      },
    },
    {
      name: 'open',
      description: 'One document',
      input: { id: doc },
      output: shape('id@docs title topic year:int text see@docs'),
      of: 'docs',
      readOnly: true,
      apply: (call) => withRecord(call, 'docs', 'id', (item, id) => recordAnswer({ id, ...item })),
    },
    {
      name: 'follow',
      description: 'Document it links to',
      input: { id: doc },
      output: shape('id@docs topic text'),
      of: 'docs',
      readOnly: true,
      apply: (call) =>
        withRecord(call, 'docs', 'id', ({ see }) => {
          if (see === undefined) return errorAnswer('no_link', 'no link');
          const target = record(call.state, 'docs', see);
          if (!target) return notFound(see);
          return recordAnswer({ id: see, topic: target.topic ?? '', text: target.text ?? '' });
        }),
    },
    {
      name: 'note',
      description: 'Adds a note',
      input: { doc, text },
      output: shape('id@notes doc@docs'),
      of: 'notes',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'docs', 'doc', (_, key) => {
          const refused = call.forbidden({ notes: count(call.state, 'notes') + 1 }, 'max_notes');
          if (refused) return refused;
          const id = typeof call.state.next === 'string' ? call.state.next : 'n1';
          const notes = { [id]: { doc: key, text: call.args.text ?? '' } };
          return recordAnswer({ id, doc: key }, { notes, next: freshId(id) });
        }),
    },
    {
      name: 'edit_note',
      description: 'New doc and text',
      input: { id: noteId, doc, text },
      output: shape('id@notes doc@docs'),
      of: 'notes',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'notes', 'id', (_, id) =>
          withRecord(call, 'docs', 'doc', (__, key) =>
            recordAnswer({ id, doc: key }, { notes: { [id]: { doc: key, text: call.args.text ?? '' } } }),
          ),
        ),
    },
    {
      name: 'drop_note',
      description: 'Removes it',
      input: { id: noteId },
      output: shape('id@notes'),
      readOnly: false,
      destructive: true,
      apply: (call) => withRecord(call, 'notes', 'id', (_, id) => recordAnswer({ id }, { notes: { [id]: null } })),
    },
    {
      name: 'cite',
      description: 'Number counts up from 1',
      input: { doc },
      output: shape('doc@docs number:int'),
      of: 'docs',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'docs', 'doc', (item, key) => {
          const cites = get(call.state, 'cites');
          if (isObject(cites) && get(cites, key) !== undefined) return errorAnswer('conflict', 'already cited');
          const number = count(call.state, 'cites') + 1;
          const refused = call.forbidden(citeFacts(call.state, item), ...CITING);
          return refused ?? recordAnswer({ doc: key, number }, { cites: { [key]: number } });
        }),
    },
    {
      name: 'answer',
      description: 'Sets the answer',
      input: { text: { ...text, maxLength: 24 } },
      output: shape('answer'),
      readOnly: false,
      apply: ({ state, args, forbidden }) => {
        const answer = args.text ?? '';
        const refused = forbidden({ cited: count(state, 'cites') }, 'cite_first');
        return refused ?? recordAnswer({ answer }, { report: { answer } });
      },
    },
  ],
};

function withRecord(call: Call, collection: string, arg: string, then: (item: JsonObject, key: string) => Answer) {
  const item = record(call.state, collection, call.args[arg]);
  return item ? then(item, String(call.args[arg])) : notFound(call.args[arg]);
}

/** Members of a part of the state. */
function count(state: State, name: string): number {
  const value: Json | undefined = get(state, name);
  return isObject(value) ? Object.keys(value).length : 0;
}

export const research: Family = {
  name: 'research',
  title: 'Library research',
  line: 'Documents that contradict each other: search, open, follow links, note, cite, answer.',
  heldOut: false,
  failCodes: ['rate_limited', 'timeout', 'paywall', 'unavailable'],
  program: () => PROGRAM,
  generate,
  tasks: () => TASKS,
};
