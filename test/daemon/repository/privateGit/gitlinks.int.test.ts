import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createGit, type Git } from '../../../../daemon/repository/git/git.ts';
import { listGitlinks } from '../../../../daemon/repository/privateGit/gitlinks.ts';
import { openPrivateGit } from '../../../../daemon/repository/privateGit/privateGit.ts';
import { given } from '../merge/given.ts';

/** `started` counts the processes of git. */
async function givenIndex(file: string) {
  const { open } = given({ [file]: 'text\n' });
  const git = createGit();
  let started = 0;
  const counting: Git = {
    ...git,
    run(...call) {
      started += 1;
      return git.run(...call);
    },
  };
  const privateGit = await openPrivateGit(await open('lane-1'), counting);
  const index = join(privateGit.gitDir, 'scratch-index');
  copyFileSync(join(privateGit.gitDir, 'index'), index);
  const update = (...args: string[]) => privateGit.run(['update-index', ...args], { index });
  return { privateGit, index, update, started: () => started };
}

const COMMIT = '1'.repeat(40);

it.each([
  ['version 2', []],
  ['version 4', ['--index-version', '4']],
  ['a shared index', ['--split-index']],
])('finds a submodule in an index of %s', async (_, form) => {
  const { privateGit, index, update } = await givenIndex('plain.txt');
  await update('--add', '--cacheinfo', `160000,${COMMIT},libs/one`);
  if (form.length > 0) await update(...form);
  expect(await listGitlinks(privateGit, index)).toEqual([{ path: 'libs/one', commit: COMMIT }]);
});

it('starts no git for an index without one, nor for a missing index', async () => {
  const { privateGit, index, started } = await givenIndex('plain.txt');
  const before = started();
  expect(await listGitlinks(privateGit, index)).toEqual([]);
  expect(await listGitlinks(privateGit)).toEqual([]);
  expect(await listGitlinks(privateGit, `${index}-missing`)).toEqual([]);
  expect(started()).toBe(before);
});

it('asks git where a name only looks like a sign of one', async () => {
  const { privateGit, index, started } = await givenIndex('linked.txt');
  const before = started();
  expect(await listGitlinks(privateGit, index)).toEqual([]);
  expect(started()).toBe(before + 1);
});
