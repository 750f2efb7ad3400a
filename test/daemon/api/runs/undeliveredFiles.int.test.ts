import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { undeliveredFiles } from '../../../../daemon/api/runs/undeliveredFiles.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { newRun } from '../../core/support/run.ts';
import { given } from '../../repository/merge/given.ts';

test('CS-53 files that the branch has are delivered, whatever their ends', async () => {
  const texts = ['no end', 'one\n', 'two\n\n', 'spaces  \n \n', 'of Windows\r\n', '\n'];
  const files = Object.fromEntries(texts.map((text, nth) => [`${nth}.md`, text]));
  const { repo, place, open, commitOn } = given();
  const commit = commitOn('main', files);
  const { path: worktreeRoot } = await open('main');
  const delivered = { commit, ignored: [], reason: null };
  const undelivered = (more: Record<string, string>, ignored: string[] = []) => {
    const { branch } = place('main');
    const run: Run = { ...newRun().run, repoPath: repo.dir, worktreeRoot, branch, exchange: { files: more } };
    return undeliveredFiles(run, { ...delivered, ignored });
  };
  expect(await undelivered(files)).toEqual([]);
  expect(await undelivered({ '1.md': 'other\n', 'none.md': 'text\n' })).toEqual([
    { path: 'files.1.md', replayed: 'other\n', stored: 'one' },
    { path: 'files.none.md', replayed: 'text\n', stored: null },
  ]);
  // Only the worktree has what the repository ignores.
  writeFileSync(join(worktreeRoot, 'ignored.md'), 'there\n');
  expect(await undelivered({ 'ignored.md': 'there\n' }, ['ignored.md'])).toEqual([]);
  expect(await undelivered({ 'ignored.md': 'other\n' }, ['ignored.md'])).toEqual([
    { path: 'files.ignored.md', replayed: 'other\n', stored: 'there\n' },
  ]);
});
