import { describe, expect, test } from 'vitest';
import { faultSchedule, type FaultPreset } from './faults';

const CODES = ['timeout', 'busy'];
const schedule = (preset: FaultPreset, count: number, duration: number, horizon = 20, seed = 1) =>
  faultSchedule({ preset, count, duration }, CODES, horizon, seed);

/** Lengths of the runs of steps with directives, and their kinds. */
function faults(steps: ReturnType<typeof schedule>): { length: number; kind: string }[] {
  const out: { length: number; kind: string }[] = [];
  steps.forEach((directives, i) => {
    const [directive] = directives;
    if (!directive) return;
    const last = out.at(-1);
    if (last && steps[i - 1]?.length) last.length++;
    else out.push({ length: 1, kind: directive.kind });
  });
  return out;
}

describe('faultSchedule', () => {
  test('has the wanted number of faults of the wanted duration, apart from each other', () => {
    for (let seed = 0; seed < 50; seed++) {
      const steps = schedule('mixed', 4, 3, 20, seed);
      expect(steps).toHaveLength(20);
      expect(faults(steps).map(({ length }) => length)).toEqual([3, 3, 3, 3]);
      expect(faults(steps).map(({ kind }) => kind === 'fail')).toEqual([true, false, true, false]);
    }
  });

  test('presets', () => {
    const kinds = (preset: FaultPreset) =>
      new Set(
        Array.from({ length: 40 }, (_, seed) => faults(schedule(preset, 2, 1, 20, seed)))
          .flat()
          .map(({ kind }) => kind),
      );
    expect([...kinds('explicit')]).toEqual(['fail']);
    expect([...kinds('implicit')].sort()).toEqual(['empty', 'misleading', 'partial', 'scarce', 'stale']);
    expect(schedule('explicit', 0, 1).flat()).toEqual([]);
  });

  test("a seed fixes it, seeds differ, codes are the family's", () => {
    expect(schedule('mixed', 2, 2)).toEqual(schedule('mixed', 2, 2));
    expect(schedule('mixed', 2, 2)).not.toEqual(schedule('mixed', 2, 2, 20, 2));
    for (const directive of schedule('explicit', 3, 2).flat())
      expect(directive.kind === 'fail' && CODES.includes(directive.code)).toBe(true);
  });

  test('what does not fit is refused', () => {
    expect(() => schedule('mixed', 5, 4, 20)).toThrow('do not fit');
    expect(() => schedule('mixed', 1.5, 1)).toThrow(RangeError);
    expect(() => schedule('mixed', 1, 0)).toThrow(RangeError);
  });
});
