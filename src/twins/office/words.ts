/** Names and words of the office. */
const words = (text: string): readonly string[] => text.split(' ');

export const NAMES = words(
  'ada abel bella carl dina emil faye goran hedy igor jana karim lotte marco nadia otto petra quinn rita stefan tara ugo ' +
    'vlad wanda xenia yusuf zita',
);
export const TEAMS = words('sales legal ops press guests audit design tech staff');
export const ROOMS = words('attic blue cedar dome east fern gallery hall ivory jade loft north oak pier sky tower');
export const TITLES = words(
  'budget plan contract offer report roster survey sketch memo minutes invoice manual policy',
);
export const WEEK = words('mon tue wed thu fri');
export const THINGS = words(
  'printer coffee lift cake chair key lamp badge plant projector fridge heating scanner bike',
);
/** Mails that ask for nothing; `*` is a thing. */
export const CHAT = ['the * works again', 'thanks for the *', 'who has my *?', 'the * is here', 'no * today'];
export const REPLIES = words('yes no maybe later sure agreed thanks sorry done call wait fine');
