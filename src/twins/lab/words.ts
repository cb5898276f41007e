/** Rooms, vessels, instruments and substances of the laboratory. */
const words = (text: string): readonly string[] => text.split(' ');

export const ROOMS = words('cellar attic pantry garage study porch workshop greenhouse hall shed');
export const VESSELS = words('cup flask jar vial beaker tube bowl bottle');
export const SUBSTANCES = words('wax resin syrup brine tar glue balm dye sap ink');

/** What instruments do, with names for them. */
export const INSTRUMENTS = {
  heat: words('stove burner oven hotplate'),
  cool: words('fridge freezer icebox chiller'),
  temp: words('thermometer probe'),
  mass: words('scale balance'),
} as const;

/** Vessels in hand are here. */
export const HAND = 'hand';
