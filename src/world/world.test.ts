import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atPointer, formatCheck, holds, isDone, pointerKey, progress } from './checks';
import { formatDirectives, parseDirectives } from './directives';
import { canonical, clone, emptyObject, equal, isObject, parseJson, type Json, type JsonObject } from './json';
import { applyDelta, applyPatch, changedFields, diffPatch } from './mergePatch';
import { hash32, hashText, Rng, uniform } from './rng';
import type { Check, Directive } from './types';

const json = (value: unknown) => value as Json;

describe('merge patch', () => {
  // RFC 7396, appendix A: original, patch, result.
  const EXAMPLES: [string, string, string][] = [
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ];
  test.each(EXAMPLES)('RFC 7396: %s with %s is %s', (original, patch, result) => {
    expect(JSON.stringify(applyPatch(json(JSON.parse(original)), json(JSON.parse(patch))))).toBe(result);
  });

  test('the difference of two states leads from one to the other, and is empty for equal ones', () => {
    fc.assert(
      fc.property(state(), state(), (before, after) => {
        expect(equal(applyDelta(before, diffPatch(before, after)), after)).toBe(true);
        expect(diffPatch(before, clone(before))).toEqual({});
      }),
    );
  });

  test('neither argument is changed, and keys such as __proto__ are data', () => {
    const before = parsed('{"a":{"b":1}}');
    const patch = parsed('{"__proto__":{"polluted":true},"a":{"c":2}}');
    const copies = [canonical(before), canonical(patch)];
    const after = applyDelta(before, patch);
    expect([canonical(before), canonical(patch)]).toEqual(copies);
    expect(Object.keys(after)).toEqual(['a', '__proto__']);
    expect(({} as JsonObject).polluted).toBeUndefined();
  });

  test('changed fields counts the leaves', () => {
    expect(changedFields(parsed('{"a":{"b":1,"c":null},"d":"x"}'))).toBe(3);
    expect(changedFields({})).toBe(0);
  });
});

describe('checks', () => {
  // RFC 6901, section 5.
  const DOCUMENT = parsed(
    '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}',
  );
  const POINTERS: [string, unknown][] = [
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ];
  test.each(POINTERS)('RFC 6901: %s', (pointer, value) => {
    expect(atPointer(DOCUMENT, pointer)).toEqual(value);
  });

  test('the empty pointer is the whole value, and any key can be escaped', () => {
    expect(atPointer(DOCUMENT, '')).toEqual(DOCUMENT);
    fc.assert(
      fc.property(fc.string(), (key) => {
        const object = emptyObject();
        object[key] = 1;
        expect(atPointer(object, `/${pointerKey(key)}`)).toBe(1);
      }),
    );
  });

  const at = parsed('{"orders":{"W1":{"n":5,"s":"open"}}}');
  const CHECKS: [Check, boolean][] = [
    [{ path: '/orders/W1/n', op: '==', value: 5 }, true],
    [{ path: '/orders/W1/n', op: '>=', value: 6 }, false],
    [{ path: '/orders/W1/s', op: '<', value: 9 }, false],
    [{ path: '/orders/W2', op: 'absent' }, true],
    [{ path: '/orders/W1', op: 'exists' }, true],
    [{ path: '/orders/W2/s', op: '!=', value: 'x' }, true],
    [{ path: '/orders/W2/s', op: '==', value: 'x' }, false],
  ];
  test.each(CHECKS)('%o is %s', (check, value) => {
    expect(holds(check, at)).toBe(value);
    expect(formatCheck(check)).toContain(check.path);
  });

  test('a task is done when all of its checks hold, never without any', () => {
    const checks = CHECKS.slice(0, 2).map(([check]) => check);
    expect(progress({ instruction: '', checks }, at)).toBe(0.5);
    expect(isDone({ instruction: '', checks }, at)).toBe(false);
    expect(isDone({ instruction: '', checks: checks.slice(0, 1) }, at)).toBe(true);
    expect(isDone({ instruction: '', checks: [] }, at)).toBe(false);
  });
});

describe('directives', () => {
  const PLAIN = ['empty', 'terse', 'verbose', 'scarce', 'stale', 'misleading'] as const;

  test('text and list go into each other', () => {
    const directive: fc.Arbitrary<Directive> = fc.oneof(
      fc.constantFrom(...PLAIN).map((kind): Directive => ({ kind })),
      fc.integer({ min: 1, max: 99 }).map((n): Directive => ({ kind: 'partial', n })),
      fc.stringMatching(/^[a-z][a-z_]{0,23}$/).map((code): Directive => ({ kind: 'fail', code })),
    );
    fc.assert(
      fc.property(fc.array(directive), (list) => {
        expect(parseDirectives(formatDirectives(list))).toEqual({ ok: true, value: list });
      }),
    );
  });

  test.each(['fail', 'fail()', 'partial(0)', 'partial(100)', 'empty(1)', 'loud', 'verbose(2)', 'fail(Two Words)'])(
    '%s is refused',
    (text) => {
      const result = parseDirectives(text);
      expect(result.ok ? '' : result.error).toContain(
        'use fail(code), partial(n), empty, terse, verbose, scarce, stale or misleading',
      );
    },
  );
});

describe('random draws', () => {
  // Values of the first release: every world, corpus and record depends on them.
  test('known answers', () => {
    expect([hash32(1, 2, 3), uniform(1, 2, 3), hashText('seed')]).toEqual([3506915747, 0.284003562242953, 3652268984]);
    expect(Rng.of('x', 1).int(0, 999999)).toBe(430593);
  });

  test('a draw depends on every word of its key, on their order and number', () => {
    const keys = [[1], [2], [1, 0], [0, 1], [1, 2], [2, 1], [1, 2, 3], [-1]];
    expect(new Set(keys.map((key) => hash32(...key))).size).toBe(keys.length);
    expect(hash32(1, 2, 3)).toBe(hash32(1, 2, 3));
  });

  test('uniform draws fill the open interval evenly', () => {
    const n = 20000;
    const bins = Array<number>(10).fill(0);
    for (let i = 0; i < n; i++) {
      const u = uniform(42, i);
      expect(u > 0 && u < 1).toBe(true);
      bins[Math.floor(u * 10)]!++;
    }
    // Chi-squared with 9 degrees of freedom: 27.9 is its 99.9% point.
    expect(bins.reduce((sum, count) => sum + (count - n / 10) ** 2 / (n / 10), 0)).toBeLessThan(27.9);
  });

  test('a fork does not depend on what was drawn before it', () => {
    const a = Rng.of('x', 1);
    a.next();
    expect(a.fork('part').next()).toBe(Rng.of('x', 1).fork('part').next());
    expect(Rng.of('x', 1).shuffle([1, 2, 3, 4]).sort()).toEqual([1, 2, 3, 4]);
    expect(() => a.pick([])).toThrow('empty');
  });
});

test('JSON: parsing is safe and canonical text is blind to key order', () => {
  expect(canonical(parsed('{"b":1,"a":{"d":1,"c":2}}'))).toBe('{"a":{"c":2,"d":1},"b":1}');
  expect(parseJson('{"a":').ok).toBe(false);
  expect(parseJson('[1e999]')).toEqual({ ok: false, error: 'a number is too large' });
  expect(isObject([])).toBe(false);
});

function parsed(text: string): JsonObject {
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.error);
  return result.value as JsonObject;
}

/** States: nested objects of non-null scalars, with awkward keys now and then. */
function state(): fc.Arbitrary<JsonObject> {
  const key = fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', ''), fc.string({ maxLength: 4 }));
  const scalar = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean());
  const { node } = fc.letrec<{ node: JsonObject; value: unknown }>((tie) => ({
    node: fc.dictionary(key, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>,
    value: fc.oneof({ depthSize: 'small' }, scalar, tie('node')),
  }));
  return node.map((value) => clone(value));
}
