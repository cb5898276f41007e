/** What the documents of the library are called and what they say. */
const words = (text: string): readonly string[] => text.split(' ');

/** The last word of a title: what sort of document it is. */
export const SORTS = words('atlas blog draft memo survey diary digest leaflet report column guide letter');
export const ABOUT = words('harbour garden winter county road river museum school market coast old short evening');
export const PLACES = words('oslo rome lima cairo quito tunis osaka perth delhi turin bern riga porto lagos');
export const PEOPLE = words('ana ben cleo dan eva finn gus hana ivo june kai lena mira nils olga paul');

/** A thing that is measured: `mira bridge is 340 m long`. */
export interface Measured {
  noun: string;
  /** What stands before and after the number. */
  fact: readonly [string, string];
  /** The two parts of the question, around the name of the thing. */
  ask: readonly [string, string];
  low: number;
  high: number;
}

export const MEASURED: readonly Measured[] = [
  { noun: 'bridge', fact: ['is', 'm long'], ask: ['How many m long is', ''], low: 20, high: 400 },
  { noun: 'lake', fact: ['is', 'm deep'], ask: ['How many m deep is', ''], low: 5, high: 90 },
  { noun: 'tower', fact: ['is', 'm high'], ask: ['How many m high is', ''], low: 12, high: 200 },
  { noun: 'canal', fact: ['is', 'km long'], ask: ['How many km long is', ''], low: 3, high: 80 },
  { noun: 'bell', fact: ['weighs', 'kg'], ask: ['How many kg does', 'weigh'], low: 40, high: 900 },
  { noun: 'school', fact: ['has', 'pupils'], ask: ['How many pupils does', 'have'], low: 20, high: 700 },
  { noun: 'inn', fact: ['has', 'rooms'], ask: ['How many rooms does', 'have'], low: 3, high: 60 },
  { noun: 'orchard', fact: ['has', 'trees'], ask: ['How many trees does', 'have'], low: 20, high: 600 },
  { noun: 'mine', fact: ['employs', 'people'], ask: ['How many people does', 'employ'], low: 10, high: 900 },
  { noun: 'choir', fact: ['sings', 'songs'], ask: ['How many songs does', 'sing'], low: 4, high: 90 },
];

/** A thing that somebody made: `vonu mill was built by tolu`, who is the builder of it. */
export const MADE: readonly { noun: string; fact: string; maker: string }[] = [
  { noun: 'mill', fact: 'was built by', maker: 'builder' },
  { noun: 'portrait', fact: 'was painted by', maker: 'painter' },
  { noun: 'ballad', fact: 'was written by', maker: 'writer' },
  { noun: 'prize', fact: 'was founded by', maker: 'founder' },
  { noun: 'ship', fact: 'was steered by', maker: 'captain' },
  { noun: 'estate', fact: 'was sold by', maker: 'seller' },
];

/** What is said of people: `tolu was born in riga`, with the two halves of the question. */
export const LIVES: readonly { fact: string; ask: readonly [string, string] }[] = [
  { fact: 'was born in', ask: ['Where was', 'born'] },
  { fact: 'lived in', ask: ['Where did', 'live'] },
  { fact: 'studied in', ask: ['Where did', 'study'] },
  { fact: 'was buried in', ask: ['Where was', 'buried'] },
];
