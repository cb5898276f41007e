/** Names of the terminal's folders and files, and the words in them. */
const words = (text: string) => text.split(' ');

export const FOLDERS = words('docs src etc tmp home data logs web lib notes bin mail');
export const STEMS = words(
  'plan todo log map list main app init draft index report users test key cache backup readme budget menu trip song',
);
export const SUFFIXES = ['.txt', '.md', '.cfg', '.log', '.csv'];
export const CONTENT = words(
  'alpha beta gamma delta red green blue north south start stop open close first last fast slow rain snow sun wind ' +
    'iron gold tea milk salt bread apple pear lemon wolf bear fox owl one two three ten zero page line step door key ' +
    'port host user debug error warn true false on off done next left right up down',
);
