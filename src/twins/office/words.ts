/** Names and words of the office. */
const words = (text: string): readonly string[] => text.split(' ');

export const NAMES = words(
  'ada abel bella carl dina emil faye goran hedy igor jana karim lotte marco nadia otto petra quinn rita stefan tara ugo ' +
    'vlad wanda xenia yusuf zita',
);
export const TEAMS = words('sales legal ops press guests audit design it hr');
export const ROOMS = words('attic blue cedar dome east fern gallery hall ivory jade loft north oak pier sky tower');
export const TITLES = words(
  'budget plan contract offer report roster survey sketch memo minutes invoice manual policy',
);
export const WEEK = words('mon tue wed thu fri');
export const CHAT = words(
  'coffee is ready lift works again good news thanks for yesterday see you soon keys are found printer rain cake late ' +
    'early window open train meeting was fine new chairs came',
);
export const REPLIES = words('yes no maybe later sure agreed thanks sorry done call wait fine');
