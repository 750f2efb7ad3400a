import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addWorktree } from '../../../../daemon/harness/worktree/addWorktree.ts';
import { commitsSince, readWorktree } from '../../../../daemon/harness/worktree/readWorktree.ts';
import { isolatedEnv, makeRepo } from '../../../helpers/testRepo.ts';

async function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-state-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repo = makeRepo(join(root, 'repo'), isolatedEnv(join(root, 'home')));
  const path = join(root, 'run', 'main');
  const place = { repoPath: repo.dir, path, branch: 'devflow/run/main' };
  await addWorktree({ ...place, startCommit: repo.git('rev-parse', 'HEAD') });
  const git = (...args: string[]) => repo.git('-C', path, ...args);
  const put = (name: string, text: string) => writeFileSync(join(path, name), text);
  return { git, put, root, place, read: () => readWorktree(place) };
}

it('reads head and tree of a clean worktree', async () => {
  const { git, read } = await given();
  const [head, tree] = [git('rev-parse', 'HEAD'), git('rev-parse', 'HEAD^{tree}')];
  expect(await read()).toEqual({ head, tree, files: [], uncommitted: null });
});

it('changes with each edit of an uncommitted file', async () => {
  const { put, read } = await given();
  put('new.txt', 'one');
  const first = await read();
  put('new.txt', 'two');
  const second = await read();
  expect([first.files, second.files]).toEqual([['new.txt'], ['new.txt']]);
  expect(first.uncommitted).not.toBe(second.uncommitted);
  put('new.txt', 'one');
  expect(await read()).toEqual(first);
});

it('changes if another commit is checked out', async () => {
  const { git, put, read } = await given();
  const clean = await read();
  git('checkout', '-q', '--detach');
  put('README.md', 'elsewhere\n');
  git('-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-qam', 'elsewhere');
  const detached = await read();
  expect(detached.head).toBe(clean.head);
  expect(detached.uncommitted).toEqual(expect.any(String));
});

it('lists the commits since', async () => {
  const { git, put, place, read } = await given();
  const { head: before } = await read();
  put('a.txt', 'a');
  git('add', '-A');
  git('-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-qm', 'one more');
  const { head } = await read();
  expect(await commitsSince(place.repoPath, before, head)).toEqual([head]);
  expect(await commitsSince(place.repoPath, head, head)).toEqual([]);
});

it('a missing worktree has no changes', async () => {
  const { place, root, read } = await given();
  const { head, tree } = await read();
  expect(await readWorktree({ ...place, path: join(root, 'gone') })).toEqual({
    head,
    tree,
    files: [],
    uncommitted: null,
  });
});
