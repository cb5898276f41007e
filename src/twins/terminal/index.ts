/** A small file tree with plain-text answers. */
import type { Family } from '../kit/types';
import { terminalProgram } from './program';
import { readFolders, sampleTree } from './sample';
import { terminalTasks } from './tasks';

export const terminal: Family = {
  name: 'terminal',
  title: 'Terminal',
  line: 'A file tree: list, read, write, append, move, remove, find, count.',
  heldOut: false,
  failCodes: ['timeout', 'unavailable', 'forbidden', 'io_error'],
  program: (spec) => terminalProgram(readFolders(spec)),
  generate: sampleTree,
  tasks: terminalTasks,
};
