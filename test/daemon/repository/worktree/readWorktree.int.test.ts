import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createGit, type Git } from '../../../../daemon/repository/git/git.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { commitAndList } from '../../../../daemon/repository/worktree/commitWork.ts';
import { commitsSince, readWorktree, stateOf } from '../../../../daemon/repository/worktree/readWorktree.ts';
import { changeUnseen, makeLarge } from '../../../helpers/largeFile.ts';
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
  return { git, put, root, place, read: (by?: Git) => readWorktree(place, by) };
}

/** git that counts its processes. */
function countingGit() {
  const git = createGit();
  const calls: string[] = [];
  const run: Git['run'] = (cwd, args, options) => {
    calls.push(args[0] as string);
    return git.run(cwd, args, options);
  };
  const read: Git['read'] = async (cwd, args, options) => (await run(cwd, args, { ...options, read: true })).stdout;
  return { ...git, run, read, calls };
}

it('starts one process of git for a commit that it has seen, as a person waits for it at each gate', async () => {
  const { put, read } = await given();
  const first = await read();
  const git = countingGit();
  expect(await read(git)).toEqual(first);
  put('new.txt', 'one');
  expect((await read(git)).files).toEqual(['new.txt']);
  expect(git.calls).toEqual(['status', 'status']);
});

it('commits nothing and lists the files with one process of git, and its state is the one at that gate', async () => {
  const { git, place, read } = await given();
  const since = git('rev-parse', 'HEAD');
  const state = await read();
  const counting = countingGit();
  const trailers = { run: 'run', phase: 'spec', attempt: 1 };
  const { work, listed } = await commitAndList(
    { worktree: place, subject: 'devflow: spec', since, trailers },
    counting,
  );
  expect(work.commit).toBeNull();
  expect(listed && (await stateOf(listed, []))).toEqual(state);
  expect(counting.calls).toEqual(['status']);
});

it('reads the state again after a commit', async () => {
  const { git, put, place, read } = await given();
  const since = git('rev-parse', 'HEAD');
  await read();
  put('new.txt', 'one');
  const counting = countingGit();
  const trailers = { run: 'run', phase: 'implement', attempt: 1 };
  const { work, listed } = await commitAndList(
    { worktree: place, subject: 'devflow: work', since, trailers },
    counting,
  );
  expect(listed).toBeUndefined();
  const recorded = ['commit-tree', 'diff', 'status', 'update-index', 'update-ref', 'write-tree'];
  expect(counting.calls.toSorted()).toEqual(recorded);
  const tree = git('rev-parse', `${work.commit}^{tree}`);
  expect(await read()).toEqual({ head: work.commit, tree, files: [], uncommitted: null });
  expect(work).toMatchObject({ files: 1, insertions: 1, deletions: 0 });
});

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

it('changes with a byte of a file of 65 MB whose time is put back', async () => {
  const { place, read } = await given();
  const file = join(place.path, 'model.bin');
  makeLarge(file, 65 * 1024 ** 2);
  const first = await read();
  changeUnseen(file, 'x');
  expect((await read()).uncommitted).not.toBe(first.uncommitted);
  changeUnseen(file, '\0');
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
