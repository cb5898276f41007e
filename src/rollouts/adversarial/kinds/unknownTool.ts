import type { Rng } from '../../../world/rng';
import { candidates, isLook, Script } from '../script';
import type { ScenarioKind } from '../types';

/** Words that mean the same to a person; a tool of the other name is none. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['get', 'fetch', 'read', 'show', 'view', 'open'],
  ['list', 'all', 'search', 'find'],
  ['cancel', 'delete', 'remove', 'drop', 'rm'],
  ['add', 'create', 'insert', 'new', 'place'],
  ['set', 'change', 'update', 'edit', 'put'],
  ['cat', 'less', 'head'],
  ['mv', 'rename', 'move'],
];

export const unknownTool: ScenarioKind = {
  name: 'unknown_tool',
  title: 'Unknown tools',
  line: 'A tool is called by a name that is nearly right: another verb, a capital, a hyphen, a plural.',
  build(site) {
    const { world, rng } = site;
    const script = new Script(world);
    const call = candidates(site).find((one) => script.peek(one).status === 'ok');
    if (!call) return null;
    const wrong = nearNames(rng, call.tool).filter((name) => world.tools.every((tool) => tool.name !== name));
    if (wrong.length < 2) return null;
    const real = script.peek(call);
    for (const [i, tool] of wrong.slice(0, 2).entries()) {
      script.add({ tool, args: call.args }, [['accepted_bad_call', real]]);
      // The right call in between makes the wrong one more tempting.
      if (i === 0 && isLook(world, call)) script.add(call);
    }
    return script.done();
  },
};

function nearNames(rng: Rng, name: string): string[] {
  const [head = '', ...rest] = name.split('_');
  const verbs = SYNONYMS.find((words) => words.includes(head))?.filter((word) => word !== head) ?? ['try', 'do'];
  const tail = rest.length > 0 ? `_${rest.join('_')}` : '';
  const out = [
    `${rng.pick(verbs)}${tail}`,
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    `${name}s`,
    `${name}_all`,
    ...(name.includes('_') ? [name.replaceAll('_', '-'), name.replaceAll('_', '')] : []),
  ];
  return rng.shuffle(out);
}
