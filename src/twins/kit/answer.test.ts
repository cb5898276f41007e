import { describe, expect, test } from 'vitest';
import { echo, notFound } from './answer';

describe('echo', () => {
  test('repeats what is short and plain only', () => {
    expect(echo('W17')).toBe('W17');
    expect(echo('a'.repeat(24))).toBe('a'.repeat(24));
    for (const long of ['a'.repeat(25), 'two words', '\u00e9', '', '\ud800', 'a\nb']) expect(echo(long)).toBe('');
    expect(notFound('W17')).toEqual({ shape: 'error', code: 'not_found', message: 'W17 not found' });
    expect(notFound('two words')).toEqual({ shape: 'error', code: 'not_found', message: 'not found' });
  });
});
