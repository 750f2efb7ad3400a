import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sharedFiles } from '../../../../../daemon/kinds/lanes/performers/sharedFiles.ts';

function worktreeWith(...files: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'devflow-shared-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}

const shared = (worktree: string, a: string[], b: string[]) =>
  sharedFiles({
    worktree,
    ignoreCase: false,
    tasks: [
      { id: 'A', writeSet: a },
      { id: 'B', writeSet: b },
    ],
  });

test('finds the existing files that two tasks may write, whatever their globs', async () => {
  const worktree = worktreeWith('README.md', 'src/a.ts', 'src/deep/b.ts', 'app/[id]/page.tsx', '.devflow/artifacts/x');
  expect(await shared(worktree, ['README.md'], ['*.md'])).toEqual([{ a: 'A', b: 'B', files: ['README.md'], count: 1 }]);
  expect(await shared(worktree, ['src'], ['src/**/*.ts'])).toMatchObject([{ count: 2 }]);
  expect(await shared(worktree, ['app/[id]/page.tsx'], ['app/*id*/page.tsx'])).toMatchObject([{ count: 1 }]);
  expect(await shared(worktree, ['src/a.ts'], ['src/deep/**'])).toEqual([]);
  expect(await shared(worktree, ['.devflow/**'], ['.devflow/**'])).toEqual([]);
});

test('says how many files there are, with five examples', async () => {
  const worktree = worktreeWith(...Array.from({ length: 9 }, (_, n) => `src/${n}.ts`));
  expect(await shared(worktree, ['src/**'], ['**/*.ts'])).toMatchObject([{ count: 9, files: { length: 5 } }]);
});

test.each(['link/**', 'link/a.ts', '{link,other}/*.ts', 'src/link/**', 'link'])(
  'finds no file behind a link with %s',
  async (glob) => {
    const outside = worktreeWith('a.ts');
    const worktree = worktreeWith('src/b.ts');
    symlinkSync(outside, join(worktree, 'link'));
    symlinkSync(outside, join(worktree, 'src/link'));
    expect(await shared(worktree, [glob], [glob])).toEqual([]);
  },
);
