/** People, songs and notes of the apps. */
const words = (text: string): readonly string[] => text.split(' ');

export const USERS = words('ada ben cleo dan emil fay gus hana ivo june kim lena mira nils otto pia ravi sam tess uma');
export const GROUPS = words('friend family work');
export const ARTISTS = words('kestrel mono velvet harbor atlas juno cobalt ember lumen sable orbit fjord');
export const TITLES = words(
  'dawn river gravity paper neon winter mirror salt horizon static bloom echo drift candle runaway thunder',
);
export const NOTES = words('trip todo gifts gym rent recipe garden books plan wishes codes party');
export const TEXTS = words(
  'milk bread call mom friday tent map socks paint seven oil soap lamp tickets keys bike pasta blue train doctor',
);
