import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createGit } from '../../../../daemon/repository/git/git.ts';
import { openPrivateGit } from '../../../../daemon/repository/privateGit/privateGit.ts';
import {
  giveIndex,
  syncIndex,
  withIndex,
  withScratchIndex,
} from '../../../../daemon/repository/privateGit/privateIndex.ts';
import { readStatus } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { given } from '../merge/given.ts';

/** A worktree whose index and file are of the same second, before and after a change that keeps the file's size. */
async function givenChange() {
  const { open, repo } = given({ 'same.txt': 'first\n' });
  const worktree = await open('lane-1');
  const privateGit = await openPrivateGit(worktree, createGit());
  const file = join(worktree.path, 'same.txt');
  const long = Date.now() / 1000 - 100;
  utimesSync(file, long, long);
  await syncIndex(privateGit, 'HEAD');
  utimesSync(join(privateGit.gitDir, 'index'), long, long);
  writeFileSync(file, 'other\n');
  utimesSync(file, long, long);
  return { repo, worktree, privateGit };
}

it('sees a change of the same second and size, also in a copy', async () => {
  const { privateGit } = await givenChange();
  const { files } = await withScratchIndex(privateGit, (index) => readStatus(privateGit, index));
  expect(files).toEqual(['same.txt']);
  expect((await withIndex(privateGit, (index) => readStatus(privateGit, index))).files).toEqual(['same.txt']);
  expect((await readStatus(privateGit)).files).toEqual(['same.txt']);
});

it("lets the agent's own git see it too", async () => {
  const { privateGit, repo, worktree } = await givenChange();
  await giveIndex(privateGit);
  expect(repo.gitIn(worktree.path, 'diff', '--name-only')).toBe('same.txt');
});
