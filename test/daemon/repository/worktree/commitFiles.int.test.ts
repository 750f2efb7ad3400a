import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commitFiles } from '../../../../daemon/repository/worktree/commitFiles.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { given as givenRepository } from '../merge/given.ts';

const PATHS = ['_docs/state.md', 'a/progress.json'];

async function given(files: Record<string, string> = {}) {
  const { repo, base, open, tip, place } = givenRepository(files);
  const worktree = await open('main');
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(worktree.path, path)), { recursive: true });
    writeFileSync(join(worktree.path, path), text);
  };
  const commit = (since = base, paths = PATHS) =>
    commitFiles({ worktree, since, paths, subject: 'The end', trailers: { run: 'run', phase: 'end', attempt: 1 } });
  const show = (path: string) => repo.git('show', `${place('main').branch}:${path}`);
  return { repo, base, worktree, put, commit, show, tip: () => tip('main') };
}

test('commits these files, and leaves the other work of the worktree as it is', async () => {
  const { base, worktree, put, commit, show, tip, repo } = await given();
  for (const path of PATHS) put(path, `of ${path}\n`);
  put('half.ts', 'half done\n');
  put('f.txt', 'changed\n');
  const made = await commit();
  expect(made).toEqual({ commit: tip(), onto: base, ignored: [] });
  expect(PATHS.map(show)).toEqual(PATHS.map((path) => `of ${path}`));
  expect(repo.git('show', '--format=%B', '--name-only', tip())).toMatch(
    /Devflow-Run: run[\s\S]*_docs\/state.md\na\/progress.json$/,
  );
  expect((await uncommittedFiles(worktree)).sort()).toEqual(['f.txt', 'half.ts']);
});

test('is done once: the next call finds the commit, also of a file that is gone', async () => {
  const { base, put, commit, tip } = await given();
  put('_docs/state.md', 'done\n');
  const made = await commit();
  expect(await commit()).toEqual(made);
  expect(await commit(tip())).toEqual({ commit: null, onto: tip(), ignored: [] });
  expect(made.onto).toBe(base);
});

test('after a kill behind the commit, the next call puts the worktree in order', async () => {
  const { repo, base, worktree, put, commit } = await given();
  put('_docs/state.md', 'done\n');
  const made = await commit();
  repo.gitIn(worktree.path, 'read-tree', base);
  expect(repo.gitIn(worktree.path, 'status', '--porcelain')).not.toBe('');
  expect(await commit()).toEqual(made);
  expect(repo.gitIn(worktree.path, 'status', '--porcelain')).toBe('');
});

test('finds no commit of somebody else', async () => {
  const { repo, worktree, put, commit, tip } = await given();
  put('_docs/state.md', 'done\n');
  put('other.ts', 'more\n');
  repo.gitIn(worktree.path, 'add', '.');
  repo.gitIn(worktree.path, 'commit', '-qm', 'Mine\n\nDevflow-Run: run\nDevflow-Phase: end\nDevflow-Attempt: 1');
  expect(await commit()).toEqual({ commit: null, onto: tip(), ignored: [] });
});

test('leaves out what the repository ignores, and names it', async () => {
  const { base, put, commit, tip } = await given({ '.gitignore': 'a/\n' });
  for (const path of PATHS) put(path, 'text\n');
  expect(await commit()).toEqual({ commit: tip(), onto: base, ignored: ['a/progress.json'] });
});

test('a path beyond a link is not committed, and does not stop the others', async () => {
  const { base, repo, worktree, put, commit, tip } = await given({ '.gitignore': 'a/\n' });
  put('a/progress.json', 'text\n');
  put('last.md', 'text\n');
  symlinkSync(repo.root, join(worktree.path, '_docs'));
  const made = await commit(base, [...PATHS, 'last.md']);
  expect(made).toEqual({ commit: tip(), onto: base, ignored: ['a/progress.json'] });
});
