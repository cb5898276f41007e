/** Makes a small library: a few documents with links, notes on some of them, and the rules of the house. */
import type { Rng } from '../../world/rng';
import { coined, idPrefix, ids, nextId, word } from '../kit/ids';
import type { Seeded } from '../kit/types';
import { ABOUT, LIVES, MADE, MEASURED, PEOPLE, PLACES, SORTS } from './words';

/** What a document is on, and what it says. */
interface Text {
  topic: string;
  text: string;
}

/** `n` documents on one measured thing, with different numbers. */
function measuredTexts(rng: Rng, n: number): Text[] {
  const { noun, fact, low, high } = rng.pick(MEASURED);
  const topic = coined(rng);
  const values = new Set<number>();
  while (values.size < n) values.add(rng.int(low, high));
  return [...values].map((value) => ({ topic, text: `${topic} ${noun} ${fact[0]} ${value} ${fact[1]}` }));
}

/** A document on a thing, and one on the person who made it. */
function madeTexts(rng: Rng): Text[] {
  const made = rng.pick(MADE);
  const topic = coined(rng);
  const person = word(rng, PEOPLE, 0.7);
  return [
    { topic, text: `${topic} ${made.noun} ${made.fact} ${person}` },
    { topic: person, text: `${person} ${rng.pick(LIVES).fact} ${word(rng, PLACES, 0.6)}` },
  ];
}

/** Different years, oldest first, so close together that the rule about newer documents can go either way. */
function yearsOf(rng: Rng, n: number): number[] {
  let last = rng.int(1950, 2000);
  return Array.from({ length: n }, () => (last += rng.int(1, 7)));
}

/** A prefix that none of these identifiers starts with. */
function otherPrefix(rng: Rng, keys: readonly string[]): string {
  for (;;) {
    const prefix = idPrefix(rng);
    if (!keys.some((key) => key.startsWith(prefix))) return prefix;
  }
}

/**
 * A world of the family: two or three documents that contradict each other, others beside them, and a note that was
 * taken from the oldest.
 * @param difficulty 1 to 3
 */
export function generate(rng: Rng, difficulty: number): Seeded {
  const rivals = difficulty > 2 && rng.chance(0.5) ? 3 : 2;
  const others = difficulty > 1 ? madeTexts(rng) : measuredTexts(rng, 1);
  const texts = [...measuredTexts(rng, rivals), ...others];
  if (difficulty > 2 && texts.length < 5) texts.push(...measuredTexts(rng, 1));
  const keys = ids(rng, texts.length, idPrefix(rng), 2);
  const years = yearsOf(rng, texts.length);
  const dates = rng.shuffle(years);
  const docs = texts.map(({ topic, text }, i) => {
    // The document on what somebody made links to the one on that person.
    const toMaker = difficulty > 1 && i === rivals;
    const see = toMaker ? keys[i + 1] : rng.pick(keys.filter((_, other) => other !== i));
    const title = `${word(rng, ABOUT, 0.25)} ${rng.pick(SORTS)}`;
    const link = toMaker || rng.chance(0.3) ? { see: see ?? '' } : {};
    return { key: keys[i] ?? '', record: { title, topic, year: dates[i] ?? 0, text, ...link } };
  });
  const [oldest, ...rest] = docs.slice(0, rivals).sort((a, b) => a.record.year - b.record.year);
  const second = rng.sample([...rest, ...docs.slice(rivals)], difficulty > 1 && rng.chance(0.3) ? 1 : 0);
  const noted = rng.shuffle(oldest ? [oldest, ...second] : second);
  const noteKeys = ids(rng, noted.length, otherPrefix(rng, keys), 2);
  const citing = [
    { id: 'since', params: { year: rng.pick(years.slice(0, 3)) + rng.int(0, 2) } },
    { id: 'sort', params: { word: rng.pick(docs).record.title.replace(/^.* /, '') } },
    { id: 'newer', params: { years: rng.int(1, 9) } },
  ];
  const limits = [
    { id: 'cite_first', params: { min: rng.int(1, difficulty > 1 ? 2 : 1) } },
    { id: 'max_notes', params: { max: noted.length + rng.int(1, 2) } },
    { id: 'hits', params: { max: rng.int(1, 2) } },
  ];
  const rules = [rng.pick(citing), rng.pick(limits)];
  const third = rng.pick([...citing, ...limits].filter((rule) => !rules.includes(rule)));
  return {
    title: 'Library',
    state: {
      docs: Object.fromEntries(rng.shuffle(docs).map(({ key, record }) => [key, record])),
      notes: Object.fromEntries(
        noted.map(({ key, record }, i) => [noteKeys[i] ?? '', { doc: key, text: record.text }]),
      ),
      next: nextId(noteKeys),
      cites: {},
      report: { answer: '' },
    },
    rules: difficulty > 1 && rng.chance(difficulty > 2 ? 1 : 0.5) ? [...rules, third] : rules,
  };
}
