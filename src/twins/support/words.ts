/** Names and values of the support desk. */
const words = (text: string): readonly string[] => text.split(' ');

export const NAMES = words(
  'ana ben cleo dan eva finn gus hana ivo june kai lena mira nils olga paul rosa sam tess uma vera will yana zoe',
);
export const CITIES = words(
  'oslo rome lima cairo paris quito tunis osaka perth delhi turin bern riga porto lagos miami',
);
export const GOODS = words(
  'lamp mug chair tent radio scarf clock bike vase knife jacket piano rug camera boots globe drum kite shelf towel',
);
export const STATUSES = words('pending paid shipped delivered');
