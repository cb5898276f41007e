import { expect, it } from 'vitest';
import { alikeGroups } from './alike';

it('groups rows of about one size, in order of size and then of number, and no more than asked for', () => {
  const sizes = [100, 10, 12, 11, 13, 101];
  const size = (row: number) => sizes[row] as number;
  expect(alikeGroups([0, 1, 2, 3, 4, 5], size, 1.25)).toEqual([[1, 3, 2], [4], [0, 5]]);
  expect(alikeGroups([0, 1, 2, 3, 4, 5], size, 1.25, 2)).toEqual([
    [1, 3],
    [2, 4],
    [0, 5],
  ]);
  expect(alikeGroups([], size, 1.25)).toEqual([]);
});
