import { describe, expect, it } from 'vitest';
import { malformedAgent } from '../agents';
import { badgesOf, describeBadge, type BadgeRow } from './badges';
import { driveRollout } from './drive';
import { Rollout } from './loop';
import { twinLane, WORLD } from './testing';

/** A step for each letter; a capital one is a call that the twin calls invalid. */
function episode(letters: string, reference: string | null = 'twin'): BadgeRow[] {
  return [...letters].map((letter) => ({
    action: { tool: letter.toLowerCase(), args: { id: 'x', n: 1 } },
    reference,
    results: {
      twin: { prediction: { transition: { status: letter === letter.toUpperCase() ? 'invalid_args' : 'ok' } } },
    } as unknown as BadgeRow['results'],
  }));
}
const found = (letters: string) => badgesOf(episode(letters)).map(({ kind, from, to }) => `${kind} ${from}-${to}`);

describe('badges', () => {
  it.each([
    ['', []],
    ['aab', []],
    ['aaa', ['repeat 0-2']],
    ['baaaac', ['repeat 1-4']],
    ['aabaa', []],
    ['aaabbb', ['repeat 0-2', 'variety 0-5', 'repeat 3-5']],
    ['aba', []],
    ['abab', ['cycle 0-3']],
    ['cababad', ['cycle 1-5']],
    ['ababcbcb', ['cycle 0-3', 'cycle 3-7']],
    ['aabab', ['cycle 1-4']],
    ['ababa', ['cycle 0-4']],
    ['AB', []],
    ['ABC', ['invalid 0-2']],
    ['aBCDEf', ['invalid 1-4']],
    ['AAA', ['repeat 0-2', 'invalid 0-2']],
    ['abcabc', []],
    ['aabbab', ['variety 0-5']],
    ['aabbc', []],
    ['abcaabbcc', ['variety 0-8']],
    ['aaabaaa', ['repeat 0-2', 'variety 0-6', 'repeat 4-6']],
  ])('%s: %j', (letters, wanted) => {
    expect(found(letters).sort()).toEqual([...wanted].sort());
  });

  it('takes calls that differ in an argument for different, and the order of arguments for nothing', () => {
    const rows = episode('aaa');
    rows[1] = { ...(rows[1] as BadgeRow), action: { tool: 'a', args: { n: 1, id: 'x' } } };
    expect(badgesOf(rows).map(({ kind }) => kind)).toEqual(['repeat']);
    rows[1] = { ...(rows[1] as BadgeRow), action: { tool: 'a', args: { id: 'x', n: 2 } } };
    expect(badgesOf(rows)).toEqual([]);
  });

  it('asks the reference whether a call was valid, and the lane named where there is none', () => {
    expect(badgesOf(episode('ABC', null))).toEqual([]);
    expect(badgesOf(episode('ABC', null), 'twin').map(({ kind }) => kind)).toEqual(['invalid']);
  });

  it('sees the streak of an agent that sends only malformed calls to the twin', async () => {
    const rollout = Rollout.start(WORLD, [twinLane()]);
    const rows = await driveRollout(rollout, malformedAgent(3), { steps: 5 });
    const statuses = rows.map(({ results }) => results['twin']?.prediction?.transition.status);
    expect(statuses.every((status) => ['malformed', 'unknown_tool', 'invalid_args'].includes(status ?? ''))).toBe(true);
    expect(badgesOf(rows)).toContainEqual(expect.objectContaining({ kind: 'invalid', from: 0, to: 4 }));
  });

  it('says in plain words which steps it means', () => {
    const [badge] = badgesOf(episode('baaaac'));
    if (!badge) throw new Error('no badge');
    expect(describeBadge(badge)).toEqual({
      label: 'same call \u00d74',
      title: 'Loop: the very same call 4 times in a row, steps 2 to 5.',
    });
    const variety = badgesOf(episode('aabbab'))[0];
    if (!variety) throw new Error('no badge');
    expect(describeBadge(variety).title).toBe(
      'Only 2 different calls in 6 steps: at most a third of the calls differ.',
    );
  });
});
