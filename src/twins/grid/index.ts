/** Small puzzles: walks over a map, boxes to push, Sudoku of four by four, and panels whose rule may have to be found out. */
import { emptyObject, get, type JsonObject } from '../../world/json';
import type { Family } from '../kit/types';
import { dial } from './dial';
import type { Kind } from './kind';
import { lake } from './lakeTasks';
import { lamps } from './lamps';
import { sokoban } from './sokobanTasks';
import { sudoku } from './sudokuTasks';

const KINDS: { readonly [kind: string]: Kind } = { lake, sokoban, sudoku, lamps, dial };

/** The last two are panels, and share what one of the others has. */
const MIX = ['lake', 'lake', 'sokoban', 'sokoban', 'sudoku', 'sudoku', 'lamps', 'dial'];

function kindOf(spec: JsonObject = emptyObject()): Kind {
  const name = get(spec, 'kind');
  const kind = typeof name === 'string' && Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (!kind) throw new Error(`there is no puzzle ${JSON.stringify(name)}`);
  return kind;
}

export const grid: Family = {
  name: 'grid',
  title: 'Puzzles',
  line: 'Walks with wind and holes, boxes to push, small Sudoku, and panels with rules to find out.',
  heldOut: false,
  failCodes: ['timeout', 'busy', 'jammed', 'out_of_order'],
  program: (spec) => kindOf(spec).program(spec ?? emptyObject()),
  generate: (rng, difficulty) => {
    const name = rng.pick(MIX);
    return (KINDS[name] as Kind).generate(rng.fork(name), difficulty);
  },
  tasks: (world) => kindOf(world.spec).tasks(world),
};
