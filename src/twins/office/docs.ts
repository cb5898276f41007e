/** Documents: each has an owner and is shared with people at a level. `me` is the one who asks. */
import type { Rng } from '../../world/rng';
import type { State } from '../../world/types';
import { errorAnswer, listAnswer } from '../kit/answer';
import { listOf, shape } from '../kit/schema';
import { record, records, type RuleDef, type Seeded } from '../kit/types';
import { added, changed, count, id, ME, removed, withRecord, type App } from './parts';

export const LEVELS = ['view', 'edit'] as const;

const RULES: readonly RuleDef[] = [
  {
    id: 'share_role',
    code: 'forbidden',
    text: ({ who }) => `only ${String(who)} of a document change its shares`,
    violated: ({ who }, { role }) => !String(who).split(' and ').includes(String(role)),
  },
  {
    id: 'team_level',
    code: 'not_allowed',
    text: ({ team, level }) => `no ${String(level)} shares for ${String(team)}`,
    violated: ({ team, level }, facts) => facts.team === team && facts.level === level,
  },
  {
    id: 'share_max',
    code: 'full',
    text: ({ max }) => `at most ${count(max, 'share')} of a document`,
    violated: ({ max }, facts) => Number(facts.shares) > Number(max),
  },
];

const SHARE = 'level:view|edit';
/** Shares that are shown of a document, as the tool says. */
const SHOWN = 4;

export const DOCS: App = {
  rules: RULES,
  tools: [
    {
      name: 'list_docs',
      description: 'Of a person or me',
      input: { owner: { type: 'string' } },
      output: listOf('id@docs title'),
      of: 'docs',
      readOnly: true,
      apply: ({ state, args }) => {
        const own = Object.entries(records(state, 'docs')).filter(([, doc]) => doc.owner === args.owner);
        return listAnswer(own.map(([key, { title = '' }]) => ({ id: key, title })));
      },
    },
    {
      name: 'list_shares',
      description: `First ${SHOWN}`,
      input: { doc: id('docs') },
      output: listOf(`id@shares who@people ${SHARE}`),
      of: 'shares',
      readOnly: true,
      apply: (call) =>
        withRecord(call, 'docs', 'doc', (_, doc) => {
          const own = sharesOf(call.state, doc).slice(0, SHOWN);
          return listAnswer(own.map(([key, { who = '', level = '' }]) => ({ id: key, who, level })));
        }),
    },
    {
      name: 'share_doc',
      description: 'New share or level',
      input: { doc: id('docs'), who: id('people'), level: { type: 'string', enum: LEVELS } },
      output: shape(`id@shares ${SHARE}`),
      of: 'shares',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'docs', 'doc', ({ owner }, doc) =>
          withRecord(call, 'people', 'who', ({ team = '' }, who) => {
            if (who === owner) return errorAnswer('conflict', 'already owner');
            const { level = '' } = call.args;
            const all = sharesOf(call.state, doc);
            const [key, old] = all.find(([, share]) => share.who === who) ?? [];
            if (old?.level === level) return errorAnswer('conflict', 'already shared');
            const facts = { role: roleOf(call.state, doc), team, level, shares: all.length + (old ? 0 : 1) };
            const refused = call.forbidden(facts, 'share_role', 'team_level', 'share_max');
            if (refused) return refused;
            if (key !== undefined) return changed('shares', key, { level });
            return added(call.state, 'shares', 'nextShare', { doc, who, level }, { level });
          }),
        ),
    },
    {
      name: 'unshare',
      description: 'Removes it',
      input: { id: id('shares') },
      output: shape('id'),
      readOnly: false,
      destructive: true,
      apply: (call) =>
        withRecord(call, 'shares', 'id', ({ doc }, key) => {
          const role = roleOf(call.state, String(doc));
          return call.forbidden({ role }, 'share_role') ?? removed('shares', key);
        }),
    },
  ],
};

/** Shares of a document under their ids. */
export function sharesOf(state: State, doc: string): [string, ReturnType<typeof records>[string]][] {
  return Object.entries(records(state, 'shares')).filter(([, share]) => share.doc === doc);
}

/** What I am to a document: one of its owners, editors or viewers, or nobody. */
export function roleOf(state: State, doc: string): 'owners' | 'editors' | 'viewers' | 'nobody' {
  if (record(state, 'docs', doc)?.owner === ME) return 'owners';
  const level = sharesOf(state, doc).find(([, share]) => share.who === ME)?.[1].level;
  if (level === 'edit') return 'editors';
  return level === 'view' ? 'viewers' : 'nobody';
}

/** One of each rule of the documents, such that no share breaks one. */
export function docsRules(rng: Rng, state: State, teams: readonly string[]): Seeded['rules'] {
  const people = records(state, 'people');
  const shares = Object.values(records(state, 'shares'));
  const most = Math.max(...Object.keys(records(state, 'docs')).map((doc) => sharesOf(state, doc).length));
  const unused = teams
    .flatMap((team) => LEVELS.map((level) => ({ team, level })))
    .filter(
      ({ team, level }) => !shares.some((share) => share.level === level && people[String(share.who)]?.team === team),
    );
  const rules: Seeded['rules'] = [
    { id: 'share_role', params: { who: rng.pick(['owners', 'owners and editors']) } },
    { id: 'share_max', params: { max: Math.max(most, rng.chance(0.7) ? 1 : 2) } },
  ];
  return unused.length > 0 ? [...rules, { id: 'team_level', params: rng.pick(unused) }] : rules;
}
