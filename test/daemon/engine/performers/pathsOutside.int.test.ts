import { expect, test } from 'vitest';
import { pathsOutside } from '../../../../daemon/engine/performers/pathsOutside.ts';
import { given } from '../../repository/merge/given.ts';

test('a turn that undoes what a lane changed outside of its write set changes nothing outside', async () => {
  const { base, open, commitOn } = given({ 'other.txt': 'as on main\n' });
  const place = await open('lane-1');
  const drifted = commitOn('lane-1', { 'own/a.txt': 'a\n', 'other.txt': 'changed\n', 'new.txt': 'new\n' });
  const undone = commitOn('lane-1', { 'own/b.txt': 'b\n', 'other.txt': 'as on main\n' }, drifted);
  const lane = { ...place, startCommit: base };
  const outside = (from: string, to: string) => pathsOutside(lane, { from, to, base }, ['own/**']);
  expect(await outside(base, drifted)).toEqual(['new.txt', 'other.txt']);
  expect(await outside(drifted, undone)).toEqual([]);
  const again = commitOn('lane-1', { 'other.txt': 'changed again\n' }, undone);
  expect(await outside(undone, again)).toEqual(['other.txt']);
});
