import { expect, it } from 'vitest';
import { conflictGroups } from '../../../../daemon/repository/tree/mergeTrees.ts';

const stage = (path: string) => ({ path, stage: 1 as const, mode: '100644', id: '1' });
const conflict = (...paths: string[]) => ({ paths, message: '' });

it('joins the files that one conflict names', () => {
  const stages = [stage('a'), stage('b'), stage('c'), stage('d')];
  const conflicts = [conflict('a'), conflict('b', 'c'), conflict('c', 'e')];
  expect(conflictGroups({ stages, conflicts })).toEqual([['a'], ['b', 'c', 'e'], ['d']]);
  expect(conflictGroups({ stages: [], conflicts: [] })).toEqual([]);
});
