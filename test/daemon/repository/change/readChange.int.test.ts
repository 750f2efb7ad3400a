import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileLines } from '../../../../daemon/repository/change/fileLines.ts';
import { readChange } from '../../../../daemon/repository/change/readChange.ts';
import { openPrivateGit } from '../../../../daemon/repository/privateGit/privateGit.ts';
import { given } from '../merge/given.ts';

const numbered = (count: number, change: Record<number, string> = {}) =>
  `${Array.from({ length: count }, (_, index) => change[index + 1] ?? `line ${index + 1}`).join('\n')}\n`;

it('names the changed lines of every file, and follows a rename', async () => {
  const at = given({ 'a.ts': numbered(60), 'gone.ts': 'gone\n', 'data.bin': 'a\0b', 'link.ts': 'a file\n' });
  const head = at.commitOn('lane-1', ({ git, write }) => {
    git('mv', 'a.ts', 'b ü.ts');
    git('rm', '-q', 'gone.ts');
    const moved = `${numbered(40, { 1: 'new 1' })}${numbered(60, { 30: 'diff --git a/x b/x', 50: '@@ -1 +1 @@' })}`;
    write({ 'b ü.ts': moved, 'data.bin': 'a\0c', 'z.ts': 'one\ntwo\n' });
    git('rm', '-q', 'link.ts');
    symlinkSync('z.ts', join(git('rev-parse', '--show-toplevel'), 'link.ts'));
  });
  const privateGit = await openPrivateGit(await at.open('main'));
  const { files: changed, sizes } = await readChange(privateGit, at.base, head);
  expect(sizes.map(({ status, path, removed }) => [status, path, removed])).toContainEqual(['D', 'gone.ts', 1]);
  expect(changed).toEqual([
    { path: 'b ü.ts', from: 'a.ts', isDeleted: false, hunks: expect.any(Array) },
    { path: 'data.bin', from: null, isDeleted: false, hunks: [] },
    { path: 'gone.ts', from: null, isDeleted: true, hunks: [[1, 1, 0, 0]] },
    { path: 'link.ts', from: null, isDeleted: false, hunks: [] },
    { path: 'z.ts', from: null, isDeleted: false, hunks: [[0, 0, 1, 2]] },
  ]);
  expect(await readChange(privateGit, head, head)).toEqual({ files: [], sizes: [], changedLines: 0 });
  const { files: back } = await readChange(privateGit, head, at.base);
  expect(back.find(({ path }) => path === 'link.ts')?.hunks).toEqual([[0, 0, 1, 1]]);
});

it('reads a change that is larger than any output that devflow keeps', async () => {
  const at = given({ 'a.txt': 'a\n', 'z.ts': 'z\n' });
  const head = at.commitOn('lane-1', ({ write }) => {
    write({ 'a.txt': `${'x'.repeat(1000)}\n`.repeat(68_000), 'z.ts': 'z\none\n' });
  });
  const { files, changedLines } = await readChange(await openPrivateGit(await at.open('main')), at.base, head);
  expect(changedLines).toBe(68_001);
  expect(files.map(({ path, hunks }) => [path, hunks])).toEqual([
    ['a.txt', [[1, 1, 1, 68_000]]],
    ['z.ts', [[1, 0, 2, 1]]],
  ]);
});

it('reads the text of a commit, whatever the worktree has now', async () => {
  const at = given({ 'a.ts': 'one\r\ntwo\n', 'data.bin': 'a\0b' });
  const { path: worktree } = await at.open('main');
  writeFileSync(join(worktree, 'a.ts'), 'changed\n');
  const lines = fileLines(await openPrivateGit(await at.open('main')), at.base);
  expect(await lines('a.ts')).toEqual(['one', 'two']);
  expect(await lines('./a.ts')).toEqual(['one', 'two']);
  for (const path of ['data.bin', 'absent.ts', 'dir', ':(top)a.ts', '../a.ts', 'a\nb', '-x']) {
    expect([path, await lines(path)]).toEqual([path, undefined]);
  }
});
