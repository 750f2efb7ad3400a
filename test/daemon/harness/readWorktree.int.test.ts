import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commitsSince, readWorktree } from '../../../daemon/harness/readWorktree.ts';
import { isolatedEnv, makeRepo } from '../../helpers/testRepo.ts';

function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-state-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repo = makeRepo(join(root, 'repo'), isolatedEnv(join(root, 'home')));
  const place = { repoPath: repo.dir, worktree: repo.dir, branch: repo.git('symbolic-ref', '--short', 'HEAD').trim() };
  return { repo, root, place, read: () => readWorktree(place) };
}

it('names head and tree of a clean worktree', async () => {
  const { repo, read } = given();
  const [head, tree] = [repo.git('rev-parse', 'HEAD').trim(), repo.git('rev-parse', 'HEAD^{tree}').trim()];
  expect(await read()).toEqual({ head, tree, files: [], uncommitted: null });
});

it('tells each edit of an uncommitted file, also a second one', async () => {
  const { repo, read } = given();
  repo.write({ 'new.txt': 'one' });
  const first = await read();
  repo.write({ 'new.txt': 'two' });
  const second = await read();
  expect([first.files, second.files]).toEqual([['new.txt'], ['new.txt']]);
  expect(first.uncommitted).not.toBe(second.uncommitted);
  repo.write({ 'new.txt': 'one' });
  expect(await read()).toEqual(first);
});

it('tells another commit that is checked out in place of the branch', async () => {
  const { repo, read } = given();
  const clean = await read();
  repo.git('checkout', '-q', '--detach');
  writeFileSync(join(repo.dir, 'README.md'), 'elsewhere\n');
  repo.git('-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-qam', 'elsewhere');
  const detached = await read();
  expect(detached.head).toBe(clean.head);
  expect(detached.uncommitted).toEqual(expect.any(String));
});

it('names the commits that came since', async () => {
  const { repo, place, read } = given();
  const { head: before } = await read();
  repo.write({ 'a.txt': 'a' });
  repo.git('add', '-A');
  repo.git('-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-qm', 'one more');
  const { head } = await read();
  expect(await commitsSince(place.repoPath, before, head)).toEqual([head]);
  expect(await commitsSince(place.repoPath, head, head)).toEqual([]);
});

it('a worktree that is gone has the branch and no changes', async () => {
  const { place, root, read } = given();
  const { head, tree } = await read();
  expect(await readWorktree({ ...place, worktree: join(root, 'gone') })).toEqual({
    head,
    tree,
    files: [],
    uncommitted: null,
  });
});
