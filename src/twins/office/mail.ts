/** Mail: boxes new, read, archive and sent. What comes in is from somebody, what is sent is from `me`. */
import type { Rng } from '../../world/rng';
import { errorAnswer, listAnswer, recordAnswer } from '../kit/answer';
import { listOf, shape } from '../kit/schema';
import { record, records, type RuleDef, type Seeded } from '../kit/types';
import { added, changed, count, id, ME, withRecord, type App } from './parts';

const RULES: readonly RuleDef[] = [
  {
    id: 'mail_team',
    code: 'not_allowed',
    text: ({ team }) => `no mail to ${String(team)}`,
    violated: ({ team }, facts) => facts.team === team,
  },
  {
    id: 'sent_max',
    code: 'quota',
    text: ({ max }) => `at most ${count(max, 'sent mail')}`,
    violated: ({ max }, facts) => Number(facts.sent) > Number(max),
  },
  {
    id: 'keep_team',
    code: 'not_allowed',
    text: ({ team }) => `mail from ${String(team)} is not archived`,
    violated: ({ team }, facts) => facts.team === team,
  },
  {
    id: 'archive_box',
    code: 'not_allowed',
    text: ({ box }) => `only ${String(box)} mail is archived`,
    violated: ({ box }, facts) => facts.box !== box,
  },
];

const BOX = 'box:new|read|archive|sent';
/** Mails that are shown of a sender, as the tool says. */
const SHOWN = 4;

export const MAIL: App = {
  rules: RULES,
  tools: [
    {
      name: 'find_mail',
      description: `First ${SHOWN}`,
      input: { from: id('people') },
      output: listOf(`id@mail ${BOX}`),
      of: 'mail',
      readOnly: true,
      apply: (call) =>
        withRecord(call, 'people', 'from', (_, sender) => {
          const own = Object.entries(records(call.state, 'mail')).filter(([, mail]) => mail.from === sender);
          return listAnswer(own.slice(0, SHOWN).map(([key, { box = '' }]) => ({ id: key, box })));
        }),
    },
    {
      name: 'read_mail',
      description: 'New becomes read',
      input: { id: id('mail') },
      output: shape('id@mail from@people text'),
      of: 'mail',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'mail', 'id', (mail, key) =>
          recordAnswer(
            { id: key, from: mail.from ?? '', text: mail.text ?? '' },
            mail.box === 'new' ? { mail: { [key]: { box: 'read' } } } : {},
          ),
        ),
    },
    {
      name: 'send_mail',
      description: 'Mail from me',
      input: { to: id('people'), text: { type: 'string', maxLength: 24 } },
      output: shape(`id@mail ${BOX}`),
      of: 'mail',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'people', 'to', ({ team = '' }, to) => {
          const sent = Object.values(records(call.state, 'mail')).filter(({ box }) => box === 'sent').length + 1;
          const mail = { from: ME, to, text: call.args.text ?? '', box: 'sent' };
          const refused = call.forbidden({ team, sent }, 'mail_team', 'sent_max');
          return refused ?? added(call.state, 'mail', 'nextMail', mail, { box: mail.box });
        }),
    },
    {
      name: 'archive_mail',
      description: 'Box archive',
      input: { id: id('mail') },
      output: shape(`id@mail ${BOX}`),
      of: 'mail',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'mail', 'id', ({ from, box = '' }, key) => {
          if (box === 'archive') return errorAnswer('conflict', 'already in archive');
          const team = record(call.state, 'people', from)?.team ?? '';
          const refused = call.forbidden({ team, box }, 'keep_team', 'archive_box');
          return refused ?? changed('mail', key, { box: 'archive' });
        }),
    },
  ],
};

/** One of each rule of the mail. */
export function mailRules(rng: Rng, teams: readonly string[]): Seeded['rules'] {
  return [
    { id: 'mail_team', params: { team: rng.pick(teams) } },
    { id: 'sent_max', params: { max: rng.int(1, 2) } },
    { id: 'keep_team', params: { team: rng.pick(teams) } },
    { id: 'archive_box', params: { box: 'read' } },
  ];
}
