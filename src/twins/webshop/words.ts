/** Goods of the shop by their kind, and the options they come in. */
const words = (text: string): readonly string[] => text.split(' ');

export const GOODS: { readonly [category: string]: readonly string[] } = {
  home: words('lamp rug clock vase mirror candle cushion shelf basket frame'),
  clothes: words('scarf jacket shirt boots belt gloves hat dress socks coat'),
  kitchen: words('mug kettle pan bowl knife grater teapot jar whisk ladle'),
  toys: words('kite drum puzzle robot doll yoyo train blocks ball globe'),
  garden: words('spade hose rake pot bench lantern gnome seeds trellis saw'),
  sport: words('bike tent rope skates racket mat helmet paddle dartboard net'),
  office: words('pen stapler folder desk notebook ruler tray stamp marker chair'),
};
export const CATEGORIES = Object.keys(GOODS);
export const COLORS = words('red blue green black white grey pink gold teal brown lilac amber navy mint rust sand');
export const SIZES = words('XS S M L XL XXL');
