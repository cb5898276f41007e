/** Names and kinds of what is packed and of jobs. */
const words = (text: string): readonly string[] => text.split(' ');

export const THINGS = words(
  'tent rope stove lamp map flask boots tarp knife radio socks blanket torch pan hammer camera soap book whistle filter',
);
export const CARGO = words(
  'bricks paint tiles cement wool sugar steel glass rice lumber salt copper paper rubber coal timber grain cork wax',
);
export const RELICS = words('idol crown vase mask scroll coin urn harp sword robe ring bell statue drum seal shield');
export const CLIENTS = words('ana ben cleo dan eva finn gus hana ivo june kai lena mira nils olga paul rosa sam tess');
export const THING_KINDS = words('food gear fuel cloth tool glass');
export const CARGO_KINDS = words('dry wet heavy food metal fragile');
export const RELIC_KINDS = words('gold clay stone wood silver bone');
export const INKS = words('red blue black green gold brown');
export const DOUGHS = words('rye sweet plain nut corn oat');
export const CLOTHS = words('silk wool linen cotton tweed velvet');
export const CARGOES = words('oil grain ore fruit timber cars');
