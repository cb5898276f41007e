/** What a reader may be asked to do in the library. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check } from '../../world/types';
import { records, type Seeded, type TaskTemplate } from '../kit/types';
import { canCite } from './rules';
import { LIVES, MADE, MEASURED } from './words';

type Doc = readonly [id: string, doc: JsonObject];

const call = (tool: string, args: JsonObject): Action => ({ tool, args });
const open = (id: string) => call('open', { id });
const cite = (doc: string) => call('cite', { doc });

/** A search for a topic that shows this document, if there is one: a rule may cut it off. */
function search({ state, rules }: Seeded, word: string, id: string): Action[] {
  const hits = Object.entries(records(state, 'docs')).filter(([, doc]) => String(doc.topic).includes(word));
  const most = Number(rules.find((rule) => rule.id === 'hits')?.params.max ?? hits.length);
  return hits.slice(0, most).some(([key]) => key === id) ? [call('search', { word })] : [];
}

/** Documents from the oldest to the newest. */
function docs({ state }: Seeded): Doc[] {
  return Object.entries(records(state, 'docs')).sort(([, a], [, b]) => Number(a.year) - Number(b.year));
}

/** Documents on one measured thing, oldest first: those of the topic that has the most. */
function rivals(world: Seeded): Doc[] {
  const all = docs(world).filter(([, doc]) => measure(doc));
  const groups = all.map(([, doc]) => all.filter(([, other]) => other.topic === doc.topic));
  return groups.reduce((best, group) => (group.length > best.length ? group : best), []);
}

/** What a document on a measured thing measures, and its number. */
function measure(doc: JsonObject) {
  const noun = String(doc.text).split(' ')[1];
  const kind = MEASURED.find((one) => one.noun === noun);
  return kind && { ...kind, value: Number(/\d+/.exec(String(doc.text))?.[0]) };
}

/** Calls that come before an answer: the citation, and as many others as the rules ask for. Null when there are too few. */
function citations(rng: Rng, world: Seeded, wanted: readonly string[]): Action[] | null {
  const min = Number(world.rules.find(({ id }) => id === 'cite_first')?.params.min ?? 0);
  const others = rng.shuffle(docs(world).map(([id]) => id)).filter((id) => !wanted.includes(id) && canCite(world, id));
  const all = [...wanted, ...others.slice(0, Math.max(min - wanted.length, 0))];
  return all.length < min ? null : all.map(cite);
}

function answered(answer: string, cited: readonly string[]): Check[] {
  return [
    ...cited.map((id): Check => ({ path: `/cites/${id}`, op: 'exists' })),
    { path: '/report/answer', op: '==', value: answer },
  ];
}

const answer: TaskTemplate = (rng, world) => {
  const own = rivals(world);
  const [id, doc] = own.filter(([key]) => canCite(world, key)).at(-1) ?? [];
  const kind = doc && measure(doc);
  if (!id || !kind) return null;
  const cites = citations(rng, world, [id]);
  if (!cites) return null;
  const value = String(kind.value);
  const question = `${kind.ask[0]} ${String(doc.topic)} ${kind.noun} ${kind.ask[1]}`.trimEnd();
  const looks = rng.chance(0.6)
    ? [...search(world, String(doc.topic), id), open(id)]
    : rng.chance(0.5)
      ? [open(id)]
      : [];
  return {
    instruction: `${question}? Cite the newest document on it that can be cited and answer from it.`,
    plan: [...looks, ...cites, call('answer', { text: value })],
    checks: answered(value, [id]),
  };
};

const linked: TaskTemplate = (rng, world) => {
  const all = records(world.state, 'docs');
  for (const [id, doc] of docs(world)) {
    const [, noun = ''] = String(doc.text).split(' ');
    const made = MADE.find((one) => one.noun === noun);
    const target = String(doc.see);
    const text = String(all[target]?.text);
    const life = LIVES.find((one) => text.includes(` ${one.fact} `));
    if (!made || !life || !canCite(world, target)) continue;
    const cites = citations(rng, world, [target]);
    if (!cites) return null;
    const place = text.split(' ').at(-1) ?? '';
    const who = `the ${made.maker} of ${String(doc.topic)} ${noun}`;
    const looks = rng.chance(0.5) ? search(world, String(doc.topic), id) : rng.chance(0.5) ? [open(id)] : [];
    return {
      instruction: `${life.ask[0]} ${who} ${life.ask[1]}? Answer from the document that ${id} links to and cite it.`,
      plan: [...looks, call('follow', { id }), ...cites, call('answer', { text: place })],
      checks: answered(place, [target]),
    };
  }
  return null;
};

const difference: TaskTemplate = (rng, world) => {
  const [old, young] = rivals(world).slice(-2);
  const kinds = [old, young].map((one) => one && measure(one[1]));
  if (!old || !young || !kinds[0] || !kinds[1] || ![old, young].every(([id]) => canCite(world, id))) return null;
  const both = [old[0], young[0]];
  const cites = citations(rng, world, both);
  if (!cites) return null;
  const value = String(Math.abs(kinds[0].value - kinds[1].value));
  const looks = rng.chance(0.6) ? both.map(open) : search(world, String(old[1].topic), old[0]);
  return {
    instruction: `Cite ${both.join(' and ')}. Answer by how much their numbers differ.`,
    plan: [...looks, ...cites, call('answer', { text: value })],
    checks: answered(value, both),
  };
};

const collect: TaskTemplate = (rng, world) => {
  const noted = Object.values(records(world.state, 'notes')).map((one) => one.doc);
  const own = (rng.chance(0.5) ? rivals(world) : docs(world).filter(([, doc]) => !measure(doc))).filter(
    ([id]) => !noted.includes(id),
  );
  const [id, doc] = own.at(-1) ?? [];
  if (!id || !doc) return null;
  const topic = String(doc.topic);
  const note = ([key, { text = '' }]: Doc) => call('note', { doc: key, text });
  if (own.length === 2 && own[0]?.[1].topic === topic && rng.chance(0.4)) {
    const looks = rng.chance(0.5)
      ? [...search(world, topic, id), ...own.map(([key]) => open(key))]
      : own.map(([key]) => open(key));
    return { instruction: `Note both texts on ${topic}, the older one first.`, plan: [...looks, ...own.map(note)] };
  }
  const looks = rng.chance(0.5) ? [...search(world, topic, id), open(id)] : rng.chance(0.5) ? [open(id)] : [];
  const which = docs(world).filter(([, other]) => other.topic === topic).length > 1 ? 'newest document' : 'document';
  return { instruction: `Note the text of the ${which} on ${topic}.`, plan: [...looks, note([id, doc])] };
};

const correct: TaskTemplate = (rng, world) => {
  const stale = Object.entries(records(world.state, 'notes')).find(([, note]) =>
    rivals(world)
      .slice(0, -1)
      .some(([id]) => id === note.doc),
  );
  const [id, doc] = rivals(world).at(-1) ?? [];
  if (!stale || !id || !doc) return null;
  const looks: Action[] = [];
  if (rng.chance(0.5)) looks.push(...search(world, String(doc.topic), id), open(id));
  return {
    instruction: `Note ${stale[0]} is out of date: give it the newest document on its topic and the text there.`,
    plan: [...looks, call('edit_note', { id: stale[0], doc: id, text: doc.text ?? '' })],
  };
};

const clean: TaskTemplate = (rng, world) => {
  const notes = Object.entries(records(world.state, 'notes'));
  const all = records(world.state, 'docs');
  const year = (note: JsonObject) => Number(all[String(note.doc)]?.year);
  const before = year(rng.pick(notes)[1]) + rng.int(1, 4);
  const old = notes.filter(([, note]) => year(note) < before);
  const looks = rng.chance(0.5) ? old.map(([, note]) => open(String(note.doc))) : [];
  return {
    instruction: `Drop every note on a document from before ${before}.`,
    plan: [...looks, ...old.map(([id]) => call('drop_note', { id }))],
  };
};

const bibliography: TaskTemplate = (rng, world) => {
  const able = docs(world).filter(([id]) => canCite(world, id));
  const newest = able.slice(-2).map(([id]) => id);
  if (newest.length < 2) return null;
  const looks = rng.chance(0.5) ? newest.map(open) : [];
  return {
    instruction: 'Cite the two newest documents that can be cited, the older one first.',
    plan: [...looks, ...newest.map(cite)],
  };
};

/** The templates by name. */
export const TASKS: { readonly [name: string]: TaskTemplate } = {
  answer,
  linked,
  difference,
  collect,
  correct,
  clean,
  bibliography,
};
