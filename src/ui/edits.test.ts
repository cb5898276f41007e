import { describe, expect, test } from 'vitest';
import { applyEdits, editsBetween, isEdited, parseScalar, parseState, setAt } from './edits';
import { exampleWorld } from './example.fixture';

const world = exampleWorld();
const text = (_: unknown, rule: { params: object }) => `Sentence for ${JSON.stringify(rule.params)}.`;

describe('edits of a world', () => {
  test('what was edited comes back as edits, and the edits give the edited world', () => {
    const edited = {
      ...world,
      state: setAt(setAt(world.state, ['orders', 'W17', 'total'], 99), ['orders', 'W20'], undefined),
      rules: world.rules.map((rule) => ({
        ...rule,
        enabled: false,
        params: { days: 7 },
        text: 'Sentence for {"days":7}.',
      })),
    };
    const edits = editsBetween(world, edited);
    expect(edits).toEqual({
      state: { orders: { W17: { total: 99 }, W20: null } },
      rules: { window: { enabled: false, params: { days: 7 } } },
    });
    expect(applyEdits(world, edits, text)).toEqual(edited);
  });

  test('no edit gives the very same world, and edits of what is not there are dropped', () => {
    expect(isEdited(editsBetween(world, world))).toBe(false);
    expect(applyEdits(world, { state: {}, rules: {} }, text)).toBe(world);
    const foreign = { state: {}, rules: { toString: { enabled: false }, window: { params: { days: 'x', other: 1 } } } };
    expect(applyEdits(world, foreign as never, () => null)).toEqual(world);
  });
});

describe('typing a state', () => {
  test.each([
    ['{"a":', 'not JSON yet'],
    ['[]', 'JSON object'],
    ['{"a":{"b":null}}', '/a/b is null'],
    ['{"a":{"b":[1]}}', '/a/b is a list'],
  ])('%s is refused with a reason', (typed, reason) => {
    const parsed = parseState(typed);
    expect(parsed.ok).toBe(false);
    expect(!parsed.ok && parsed.error).toContain(reason);
  });

  test('scalars keep their type', () => {
    expect(['12', 'true', '"12"', 'pending', '{"a":1}', 'null', ''].map(parseScalar)).toEqual([
      12,
      true,
      '12',
      'pending',
      '{"a":1}',
      'null',
      '',
    ]);
  });

  test('setting keeps the order of keys and changes nothing else', () => {
    const next = setAt(world.state, ['orders', 'W17', 'status'], 'late');
    expect(JSON.stringify(next)).toBe(JSON.stringify(world.state).replace('pending', 'late'));
    expect(JSON.stringify(world.state)).toContain('pending');
  });
});
