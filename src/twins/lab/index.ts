/** A laboratory in the style of text adventures (after ScienceWorld): rooms, instruments, vessels, substances. */
import type { Family } from '../kit/types';
import { generate } from './generate';
import { TASKS } from './tasks';
import { PROGRAM } from './tools';

export const lab: Family = {
  name: 'lab',
  title: 'Laboratory',
  line: 'A laboratory as a text adventure: walk, carry, measure, heat, cool, pour, mix.',
  heldOut: true,
  failCodes: ['spilled', 'power_cut', 'jammed', 'interrupted'],
  program: () => PROGRAM,
  generate,
  tasks: () => TASKS,
};
