/** The rules of the library, and what they look at when a document is to be cited. */
import type { JsonObject, JsonScalar } from '../../world/json';
import type { State } from '../../world/types';
import { record, records, type RuleDef, type Seeded } from '../kit/types';

/** A number with its noun: `1 note`, `2 notes`. */
function counted(n: JsonScalar | undefined, noun: string): string {
  return `${String(n)} ${noun}${String(n) === '1' ? '' : 's'}`;
}

export const RULES: readonly RuleDef[] = [
  {
    id: 'since',
    code: 'too_old',
    text: ({ year }) => `no citing documents from before ${String(year)}`,
    violated: ({ year }, facts) => Number(facts.year) < Number(year),
  },
  {
    id: 'sort',
    code: 'not_allowed',
    text: ({ word }) => `no citing documents with ${String(word)} in the title`,
    violated: ({ word }, facts) => String(facts.title).includes(String(word)),
  },
  {
    id: 'newer',
    code: 'outdated',
    text: ({ years }) => `no citing if a document on its topic is over ${counted(years, 'year')} newer`,
    violated: ({ years }, facts) => Number(facts.newer) > Number(years),
  },
  {
    id: 'cite_first',
    code: 'not_cited',
    text: ({ min }) => `no answer before ${counted(min, 'citation')}`,
    violated: ({ min }, facts) => Number(facts.cited) < Number(min),
  },
  {
    id: 'max_notes',
    code: 'full',
    text: ({ max }) => `at most ${counted(max, 'note')}`,
    violated: ({ max }, facts) => Number(facts.notes) > Number(max),
  },
  { id: 'hits', text: ({ max }) => `search stops after ${counted(max, 'hit')}` },
];

/** Rules that a citation is checked against, in this order. */
export const CITING = ['since', 'sort', 'newer'] as const;

/** What the rules look at in a document: its year, its title and by how much the newest on its topic is newer. */
export function citeFacts(state: State, doc: JsonObject): JsonObject {
  const years = Object.values(records(state, 'docs'))
    .filter((other) => other.topic === doc.topic)
    .map((other) => Number(other.year));
  return { year: doc.year ?? 0, title: doc.title ?? '', newer: Math.max(...years) - Number(doc.year) };
}

/** Whether a document of a new world can be cited. */
export function canCite({ state, rules }: Seeded, id: string): boolean {
  const doc = record(state, 'docs', id);
  if (!doc) return false;
  const facts = citeFacts(state, doc);
  return CITING.every((name) => {
    const params = rules.find((rule) => rule.id === name)?.params;
    if (!params) return true;
    const shown = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]));
    return RULES.find((rule) => rule.id === name)?.violated?.(shown, facts) !== true;
  });
}
