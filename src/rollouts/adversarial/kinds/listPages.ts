import type { Directive, Transition } from '../../../world/types';
import { candidates, isLook, Script } from '../script';
import type { ScenarioKind } from '../types';

export const listPages: ScenarioKind = {
  name: 'list_pages',
  title: 'Pages of a list',
  line: 'The same list is asked for in parts and whole; every answer shows the part that this turn asks for.',
  build(site) {
    const { world, rng } = site;
    const calls = candidates(site, world, 8).filter((call) => isLook(world, call));
    const sized = calls.map((call) => [call, itemsOf(new Script(world).peek(call))] as const);
    const most = Math.max(0, ...sized.map(([, n]) => n));
    const [call, n] = sized.find((entry) => entry[1] >= 2 && entry[1] >= Math.min(most, 3)) ?? [];
    if (!call || n === undefined) return null;
    const part = (k: number): Directive[] => [{ kind: 'partial', n: k }];
    const script = new Script(world);
    const whole = script.peek(call);
    const first = script.peek(call, part(1));
    script.add(call, [['wrong_page', whole]], part(1));
    if (n > 2) {
      script.add(
        call,
        [
          ['wrong_page', first],
          ['wrong_page', whole],
        ],
        part(2),
      );
    }
    script.add(
      call,
      [['wrong_page', first], ...(n > 2 ? [['wrong_page', script.peek(call, part(2))] as const] : [])].map(
        ([, bait]) => ['wrong_page', bait] as ['wrong_page', Transition],
      ),
    );
    if (rng.chance(0.5)) script.add(call, [['wrong_page', whole]], part(1));
    return script.done();
  },
};

/** Items of a list, or lines of a text; 0 for anything else. */
function itemsOf({ observation, status }: Transition): number {
  if (status !== 'ok') return 0;
  if (observation.kind === 'text') return observation.text === '' ? 0 : observation.text.split('\n').length;
  return Array.isArray(observation.value) ? observation.value.length : 0;
}
