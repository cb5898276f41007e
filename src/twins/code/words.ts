/** Names of the repository's folders, files and identifiers, and how each language writes its lines. */
const words = (text: string): readonly string[] => text.split(' ');

export const FOLDERS = words('src lib app core pkg util web api jobs bin');
export const STEMS = words(
  'conf main area plan cost view page mail feed form menu cart user auth log math geo item task',
);
export const CONSTANTS = words(
  'limit rate size depth width step port ttl quota fee tax cap retry batch delay pages seats',
);
export const FUNCTIONS = words('area cost total score load send pick scale merge trim price wait rank pack move check');
export const ARGS = words('w n x k day row item box cup user page key seat tag part');
export const DEBUG = words('print debug dump trace warn');
export const VERBS = words('fix tune add chore test docs');

/** A language: the suffix of its files and the lines it has. */
export interface Style {
  suffix: string;
  assign(name: string, value: number): string;
  define(name: string, arg: string): string;
}

export const STYLES: readonly Style[] = [
  { suffix: '.py', assign: (name, value) => `${name} = ${value}`, define: (name, arg) => `def ${name}(${arg})` },
  { suffix: '.rb', assign: (name, value) => `${name} = ${value}`, define: (name, arg) => `def ${name}(${arg})` },
  {
    suffix: '.js',
    assign: (name, value) => `let ${name} = ${value}`,
    define: (name, arg) => `function ${name}(${arg})`,
  },
  {
    suffix: '.lua',
    assign: (name, value) => `local ${name} = ${value}`,
    define: (name, arg) => `function ${name}(${arg})`,
  },
];
