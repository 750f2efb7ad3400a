import { expect, test } from 'vitest';
import { createRecentEntries } from '../../../../daemon/repository/git/recentEntries.ts';

test('forgets the least recently used entry', () => {
  const entries = createRecentEntries<number>(2);
  entries.set('a', 1);
  entries.set('b', 2);
  expect(entries.get('a')).toBe(1);
  entries.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => entries.get(key))).toEqual([1, undefined, 3]);
});

test('takes a new value, and forgets on request', () => {
  const entries = createRecentEntries<number>(2);
  entries.set('a', 1);
  entries.set('b', 2);
  entries.set('a', 3);
  expect(['a', 'b'].map((key) => entries.get(key))).toEqual([3, 2]);
  entries.delete('a');
  expect(entries.get('a')).toBeUndefined();
});
