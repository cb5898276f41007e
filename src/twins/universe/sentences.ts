/** What the tools of procedural worlds say about themselves. */
import type { Spec } from './spec';
import type { OpName } from './words';

type Sentence = (spec: Spec, value: string) => string;

/** `common` and `wild` are trained on; a `reserved` sentence never is. */
export type Wording = 'common' | 'wild' | 'reserved';

/** Sentences of the tools; the last of each is kept for worlds that are never trained on. */
const PHRASES: { [Op in OpName]: readonly Sentence[] } = {
  get: [(s) => `Shows one ${s.noun}`, (s) => `One ${s.noun} by id`, (s) => `Details of a ${s.noun}`],
  list: [(s) => `Lists all ${s.plural}`, (s) => `All ${s.plural}`, (s) => `Every ${s.noun}`],
  find: [
    (s) => `Ids of ${s.plural} with this ${s.state}`,
    (s) => `Finds ids by ${s.state}`,
    (s) => `Which ids have this ${s.state}`,
  ],
  count: [
    (s) => `Counts ${s.plural} by ${s.state}`,
    (s) => `How many have this ${s.state}`,
    (s) => `Number by ${s.state}`,
  ],
  set: [(s, v) => `Sets ${s.state} to ${v}`, (s, v) => `${s.state} becomes ${v}`, (s, v) => `Makes ${s.state} ${v}`],
  change: [(s) => `Changes ${s.state}`, (s) => `Sets ${s.state} as given`, (s) => `Gives it another ${s.state}`],
  add: [(s) => `Adds to ${s.amount}`, (s) => `${s.amount} goes up by it`, (s) => `Makes ${s.amount} larger`],
  take: [(s) => `Takes from ${s.amount}`, (s) => `${s.amount} goes down by it`, (s) => `Makes ${s.amount} smaller`],
  create: [
    (s) => `Adds a ${s.noun} as next`,
    (s) => `New ${s.noun} under the next id`,
    (s) => `Next id gets a ${s.noun}`,
  ],
  remove: [(s) => `Deletes a ${s.noun}`, (s) => `Takes a ${s.noun} out`, (s) => `A ${s.noun} goes away`],
  top: [(s) => `Has the most ${s.amount}`, (s) => `Id with largest ${s.amount}`, (s) => `Maximum of ${s.amount}`],
};

/** More ways to say the same, for `wild`. */
const MORE: { [Op in OpName]: readonly Sentence[] } = {
  get: [
    (s) => `Reads a ${s.noun}`,
    (s) => `The ${s.noun} under this id`,
    (s) => `What is known of one ${s.noun}`,
    (s) => `Tells about a ${s.noun}`,
  ],
  list: [
    (s) => `The ${s.plural} with their ids`,
    (s) => `Shows the whole set of ${s.plural}`,
    (s) => `${s.plural}, all of them`,
  ],
  find: [
    (s) => `${s.plural} where ${s.state} is as given`,
    (s) => `Ids that match on ${s.state}`,
    (s) => `Selects by ${s.state}`,
    (s) => `Gives the ids of one ${s.state}`,
  ],
  count: [
    (s) => `The count of ${s.plural} in a ${s.state}`,
    (s) => `Says how many ${s.plural} match`,
    (s) => `Total for one ${s.state}`,
  ],
  set: [
    (s, v) => `Brings ${s.state} to ${v}`,
    (s, v) => `Puts a ${s.noun} on ${v}`,
    (s, v) => `${v} from now on`,
    (s, v) => `Gives it ${s.state} ${v}`,
  ],
  change: [
    (s) => `Replaces ${s.state}`,
    (s) => `A new ${s.state} for a ${s.noun}`,
    (s) => `Updates the ${s.state} of one ${s.noun}`,
    (s) => `Moves it to a ${s.state}`,
  ],
  add: [
    (s) => `Raises ${s.amount}`,
    (s) => `More ${s.amount} by this much`,
    (s) => `Increases the ${s.amount} of one ${s.noun}`,
    (s) => `Puts some on top of ${s.amount}`,
    (s) => `${s.amount} grows`,
  ],
  take: [
    (s) => `Lowers ${s.amount}`,
    (s) => `Less ${s.amount} by this much`,
    (s) => `Reduces the ${s.amount} of one ${s.noun}`,
    (s) => `Uses up some ${s.amount}`,
    (s) => `${s.amount} shrinks`,
  ],
  create: [
    (s) => `Makes a ${s.noun}`,
    (s) => `Puts in one more ${s.noun}`,
    (s) => `Registers a ${s.noun} with the next id`,
    (s) => `A fresh ${s.noun}`,
  ],
  remove: [
    (s) => `Removes a ${s.noun}`,
    (s) => `Erases one ${s.noun}`,
    (s) => `The ${s.noun} is gone afterwards`,
    (s) => `Drops a ${s.noun} for good`,
  ],
  top: [
    (s) => `The ${s.noun} with most ${s.amount}`,
    (s) => `Highest ${s.amount} of all`,
    (s) => `Where ${s.amount} is greatest`,
  ],
};

/** The sentences an operation can have in worlds of this wording. */
export function sentencesOf(wording: Wording, op: OpName): readonly Sentence[] {
  const all = PHRASES[op];
  const common = all.slice(0, -1);
  switch (wording) {
    case 'common':
      return common;
    case 'wild':
      return [...common, ...MORE[op]];
    case 'reserved':
      return all.slice(-1);
    default:
      return wording satisfies never;
  }
}
