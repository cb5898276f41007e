/** What a world looks like before it is opened: made when it is first shown, and kept. */
import { makeWorld } from '../twins';

/** What a card of the world browser shows of one world. */
export interface Example {
  title: string;
  task: string;
  tools: number;
  /** Changing calls of the shortest known plan. */
  par: number | null;
}

const made = new Map<string, Example | null>();

/** The example of a family at a seed; null when the family cannot make this world. */
export function exampleOf(family: string, seed: number, difficulty: number): Example | null {
  const key = `${family} ${seed} ${difficulty}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const example = makeExample(family, seed, difficulty);
  made.set(key, example);
  return example;
}

function makeExample(family: string, seed: number, difficulty: number): Example | null {
  try {
    const { title, task, tools } = makeWorld(family, seed, difficulty);
    return { title, task: task.instruction, tools: tools.length, par: task.par ?? null };
  } catch {
    // A family that is being written may fail at a seed; the others are still there to choose from.
    return null;
  }
}

/** Families whose title, line or name has every word of a text. */
export function findFamilies<T extends { name: string; title: string; line: string }>(
  families: readonly T[],
  text: string,
): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return families.filter(({ name, title, line }) => {
    const about = `${name} ${title} ${line}`.toLowerCase();
    return words.every((word) => about.includes(word));
  });
}
