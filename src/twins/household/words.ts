/** Names of the household: rooms, receptacles by what they are good for, and objects by their kind. */
const words = (text: string): readonly string[] => text.split(' ');

export const ROOMS = words(
  'kitchen bedroom hall study pantry bathroom garage attic cellar office parlour laundry nursery den porch',
);

/** Receptacles without a use, those with a door and those without. */
export const WITH_DOOR = words('drawer cabinet cupboard wardrobe chest safe locker crate toybox hutch');
export const WITHOUT_DOOR = words('countertop desk shelf table bed sofa dresser sideboard bench ottoman stool mantel');

/** Uses of receptacles: what can be done there. */
export type Use = 'clean' | 'heat' | 'cool' | 'light';

/** The member of a receptacle that says it can do this. */
export const MEMBER: { readonly [use in Use]: string } = { clean: 'water', heat: 'heat', cool: 'cool', light: 'light' };

/** Receptacles with a use, by whether they have a door. */
export const APPLIANCES: { readonly [use in Use]: { door: readonly string[]; open: readonly string[] } } = {
  clean: { door: words('dishwasher washer'), open: words('washstand sinktop drainboard washtable') },
  heat: { door: words('microwave oven kiln'), open: words('stove hotplate grill radiator') },
  cool: { door: words('fridge freezer icebox'), open: words('coldplate iceblock') },
  light: { door: words('lightbox'), open: words('lampstand lamptable lightdesk') },
};

/** Kinds of objects (names of masses, so that "all food" and "no food" are English) and what is of them. */
export const KINDS: { readonly [kind: string]: readonly string[] } = {
  food: words('apple bread egg potato tomato lettuce pie onion carrot'),
  crockery: words('mug plate bowl cup saucer jug teapot'),
  cutlery: words('fork spoon knife ladle spatula peeler'),
  clothing: words('sock scarf hat glove shirt apron'),
  paper: words('book letter map newspaper card envelope'),
  jewelry: words('ring watch bracelet necklace brooch'),
  glassware: words('vase bottle jar tumbler flask'),
  hardware: words('hammer wrench screw nail pliers'),
  bedding: words('pillow blanket sheet quilt'),
};
