import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findMissingCommits } from '../../../../daemon/api/runs/missingCommits.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { givenRun } from '../../report/givenRun.ts';
import { type Given, given } from '../../repository/merge/given.ts';
import { givenLanes, lane } from './lanes/givenLanes.ts';

/** A run in this repository whose branch got a lane, and with another lane that is open. */
function runIn(at: Given, landed: string, head: string): Run {
  const { path: worktreeRoot, branch } = at.place('main');
  const landings = [{ laneId: 'lane-1', before: at.base, commit: landed }];
  const { branch: ofLane, path } = at.place('lane-2');
  const lanes = [...givenRun().lanes, lane('lane-2', { branch: ofLane, path, head })];
  return givenLanes({ landings }, { repoPath: at.repo.dir, worktreeRoot, branch, lastCommit: landed, lanes });
}

test('the branches of a run contain what its events say', async () => {
  const at = given();
  const { head: landed } = at.lane('main', { 'one.txt': 'one\n' });
  const { head } = at.lane('lane-2', { 'two.txt': 'two\n' });
  const run = runIn(at, landed, head);
  expect(await findMissingCommits(run)).toEqual([]);
  await at.open('main');
  await at.open('lane-2');
  expect(await findMissingCommits(run)).toEqual([]);

  at.commitOn('main', { 'more.txt': 'more\n' }, landed);
  expect(await findMissingCommits(run)).toEqual([]);
  const last = at.commitOn('main', { 'last.txt': 'last\n' }, landed);
  const delivered = { ...run, delivered: { commit: last, ignored: [], reason: null } };
  expect(await findMissingCommits(delivered)).toEqual([]);
  at.repo.git('update-ref', `refs/heads/${run.branch}`, landed);
  expect(await findMissingCommits(delivered)).toEqual([{ path: `refs.${run.branch}`, replayed: last, stored: landed }]);
  at.repo.git('update-ref', `refs/heads/${run.branch}`, at.base);
  const path = `refs.${run.branch}`;
  expect(await findMissingCommits(run)).toEqual([{ path, replayed: landed, stored: at.base }]);
  at.repo.git('update-ref', '-d', 'refs/heads/devflow/run/lane-2');
  expect((await findMissingCommits(run)).at(-1)).toEqual({
    path: 'refs.devflow/run/lane-2',
    replayed: head,
    stored: null,
  });
  // As `devflow cleanup --lane` leaves it.
  rmSync(at.place('lane-2').path, { recursive: true });
  expect(await findMissingCommits(run)).toEqual([{ path, replayed: landed, stored: at.base }]);
});
