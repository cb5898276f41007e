/** What tables are about: a naming column, groups, columns of numbers, and words for their cells. */
const words = (text: string): readonly string[] => text.split(' ');

export interface Theme {
  title: string;
  name: string;
  names: readonly string[];
  group: string;
  groups: readonly string[];
  numbers: readonly string[];
}

export const THEMES: readonly Theme[] = [
  {
    title: 'Stock table',
    name: 'item',
    names: words('mug lamp tent rope soap cup fork desk vase rug fan kite nail bolt tape brush'),
    group: 'kind',
    groups: words('box jar bag tin crate'),
    numbers: words('price qty sold cost'),
  },
  {
    title: 'Staff table',
    name: 'name',
    names: words('ana ben cleo dan eva finn gus hana ivo june kai lena mira nils olga paul'),
    group: 'team',
    groups: words('red sales lab east night'),
    numbers: words('pay days hours shifts'),
  },
  {
    title: 'Trips table',
    name: 'city',
    names: words('oslo rome lima cairo paris quito tunis osaka perth delhi turin bern riga porto'),
    group: 'mode',
    groups: words('train bus boat car plane'),
    numbers: words('cost days seats nights'),
  },
  {
    title: 'Books table',
    name: 'book',
    names: words('dune emma ulysses ivanhoe walden kim utopia faust hamlet medea beloved carrie'),
    group: 'genre',
    groups: words('poem novel crime play essay'),
    numbers: words('pages price stars loans'),
  },
  {
    title: 'Garden table',
    name: 'plant',
    names: words('rose fern ivy mint basil tulip palm oak lily sage kale leek thyme fig'),
    group: 'bed',
    groups: words('sun shade north pot wall'),
    numbers: words('height age water count'),
  },
  {
    title: 'Songs table',
    name: 'song',
    names: words('dawn river ember halo drift comet velvet storm echo neon gravel mirror'),
    group: 'mood',
    groups: words('calm fast sad loud warm'),
    numbers: words('plays mins rank likes'),
  },
];

export const VIEWS = words('low high top rest few mine todo hot old best risky cheap');
