/** Names, things and colours of the puzzle worlds. */
const words = (text: string): readonly string[] => text.split(' ');

export const NAMES = words('ana bo cleo dan eva finn gus hana ivo june kai lena mira nils olga paul rosa sam tess uma');
export const THINGS = words('lamp key map rope coin book bell cup drum flute kite mask ring shell torch whip');
export const COLOURS = words('red blue green white black amber pink grey');
export const LAMPS = words('north south east west hall door roof yard stage tower bridge cellar porch attic');
/** Signs of cells that block, and of holes; no JSON punctuation, which the codec would escape. */
export const WALLS = words('# % =');
export const HOLES = words('O H X * ~');
export const GOALS = words('G T E');
export const MARKS = words('a b c x y z');
