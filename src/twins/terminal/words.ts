/** Folder names, file names and words of the file tree. */
const words = (text: string) => text.split(' ');

export const FOLDERS = words(
  'docs etc tmp src lib bin data logs home notes mail old new drafts backup config cache pub work img web var opt inbox',
);
export const STEMS = words(
  'log note todo plan list read main test draft report index users hosts news map key menu song recipe letter ' +
    'budget diary quote poem team rules setup build deploy status agenda a b c x y z k m',
);
export const SUFFIXES = words('.txt .log .cfg .md .csv .tmp .ini .dat');
export const TEXT = words(
  'alpha beta gamma delta red blue green gold gray pink black white one two three four five six seven eight nine ten ' +
    'apple pear plum lemon peach grape bread milk tea salt sugar rice soup cake egg corn river lake hill stone sand ' +
    'snow rain wind cloud storm sun moon star fog fire water wood iron glass paper silk wool fox owl bear wolf cat ' +
    'dog bird fish frog ant bee horse goat open close start stop run walk read call send save load copy print check ' +
    'error warn done todo ready old new late early big small fast slow hot cold yes no host port user mode level path ' +
    'monday friday june july summer winter north south east west left right town road bridge tower market garden',
);
