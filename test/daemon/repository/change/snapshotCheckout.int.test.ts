import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lookAtCheckout } from '../../../../daemon/repository/change/lookAtCheckout.ts';
import {
  listSnapshots,
  snapshotCheckout,
  snapshotSince,
} from '../../../../daemon/repository/change/snapshotCheckout.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { bytesOf } from '../../../helpers/bytesOf.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

function given(options: Parameters<typeof scratchRepo>[0] = {}) {
  const repo = scratchRepo(options);
  onTestFinished(repo.cleanup);
  const base = options.empty ? '' : repo.git('rev-parse', 'HEAD');
  const of = (from = base) => ({ path: repo.dir, runId: 'run', base: from });
  const changes = (from: string, to: string) => repo.git('diff', '--no-renames', '--name-status', from, to).split('\n');
  return { ...repo, base, of, changes };
}

/** The same, and nothing of the checkout changes meanwhile. */
async function untouched<T>({ root }: { root: string }, act: () => Promise<T>): Promise<T> {
  const before = bytesOf(root);
  const result = await act();
  expect(bytesOf(root)).toEqual(before);
  return result;
}

it('keeps the files of a checkout as a commit that no branch has, and leaves all else as it is', async () => {
  const at = given();
  at.write({ 'new.txt': 'new\n', 'staged.txt': 'one\n', '.gitignore': 'ignored\n', ignored: 'x\n' });
  at.git('add', 'staged.txt');
  at.write({ 'staged.txt': 'two\n' });
  const { head } = await untouched(at, () => snapshotCheckout(at.of()));
  expect(at.changes(at.base, head)).toEqual(['A\t.gitignore', 'A\tnew.txt', 'A\tstaged.txt']);
  expect(at.git('show', `${head}:staged.txt`)).toBe('two');
  expect(at.git('branch', '--list')).toBe('* main');
  expect(await listSnapshots(at.dir, 'run')).toEqual([head]);
});

it('gives the same files the same commit, wherever the HEAD of the person is', async () => {
  const at = given();
  at.write({ 'new.txt': 'new\n' });
  const first = await snapshotCheckout(at.of());
  at.git('checkout', '-qb', 'other');
  at.commit({ 'new.txt': 'new\n' });
  expect(await untouched(at, () => snapshotCheckout(at.of()))).toEqual(first);
  at.git('checkout', '-q', '--detach', 'main');
  expect(await snapshotCheckout(at.of())).toEqual({
    ...first,
    head: at.base,
    tree: at.git('rev-parse', 'main^{tree}'),
  });
});

it('says what changed since an earlier snapshot, and nothing for the same files', async () => {
  const at = given();
  at.write({ 'a.txt': 'one\n' });
  const { work } = await snapshotSince(at.of(), at.base);
  expect(work).toEqual({ commit: expect.any(String), files: 1, insertions: 1, deletions: 0 });
  const since = work.commit ?? '';
  expect((await snapshotSince(at.of(), since)).work.commit).toBeNull();
  at.write({ 'a.txt': 'one\ntwo\n' });
  expect((await snapshotSince(at.of(), since)).work).toMatchObject({ files: 1, insertions: 1, deletions: 0 });
});

it('takes files with conflicts as they are, in the middle of a merge', async () => {
  const at = given();
  at.git('checkout', '-qb', 'other');
  at.commit({ 'f.txt': 'theirs\n' });
  at.git('checkout', '-q', 'main');
  at.commit({ 'f.txt': 'ours\n' });
  expect(() => at.git('merge', 'other')).toThrow();
  const { head } = await untouched(at, () => snapshotCheckout(at.of()));
  expect(at.git('show', `${head}:f.txt`)).toMatch(/^<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other$/);
});

it('leaves submodules and repositories inside as they are', async () => {
  const at = given();
  const inner = join(at.root, 'inner');
  mkdirSync(inner);
  at.gitIn(inner, 'init', '-q', '-b', 'main');
  at.gitIn(inner, '-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'x');
  at.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
  const base = at.commit({});
  writeFileSync(join(at.dir, 'sub/changed.txt'), 'x\n');
  mkdirSync(join(at.dir, 'nested'));
  at.gitIn(join(at.dir, 'nested'), 'init', '-q');
  writeFileSync(join(at.dir, 'nested/a.txt'), 'x\n');
  at.write({ 'own.txt': 'x\n' });
  const { head } = await untouched(at, () => snapshotCheckout(at.of(base)));
  expect(at.changes(base, head)).toEqual(['A\town.txt']);
});

it('runs no filter: of a changed file under Git LFS it has the bytes', async () => {
  const at = given();
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 4\n`;
  const base = at.commit({ 'a.bin': pointer, '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' });
  at.git('config', 'filter.lfs.clean', 'touch ran; cat');
  at.git('config', 'filter.lfs.process', 'touch ran; cat');
  at.write({ 'own.txt': 'x\n' });
  const first = await untouched(at, () => snapshotCheckout(at.of(base)));
  expect(at.changes(base, first.head)).toEqual(['A\town.txt']);
  at.write({ 'a.bin': 'bytes\n' });
  const { head } = await untouched(at, () => snapshotCheckout(at.of(base)));
  expect(at.git('show', `${head}:a.bin`)).toBe('bytes');
});

it('refuses a split index before a run, and says how to join it', async () => {
  const at = given();
  await untouched(at, () => lookAtCheckout(at.dir));
  at.git('update-index', '--split-index');
  const refusal = { code: 'git_failed', recoveryHint: expect.stringContaining('--no-split-index') };
  await untouched(at, () => expect(lookAtCheckout(at.dir)).rejects.toMatchObject(refusal));
  await untouched(at, () => expect(snapshotCheckout(at.of())).rejects.toMatchObject(refusal));
  at.git('update-index', '--no-split-index');
  execFileSync('sh', ['-c', 'rm -f .git/sharedindex.*'], { cwd: at.dir });
  await lookAtCheckout(at.dir);
});

it('refuses a checkout without a commit, and a worktree of devflow', async () => {
  const empty = given({ empty: true });
  await expect(lookAtCheckout(empty.dir)).rejects.toMatchObject({ code: 'repo_invalid' });
  const at = given();
  const path = join(at.root, 'ws/run/main');
  await addWorktree({ repoPath: at.dir, path, branch: 'devflow/run/main', startCommit: at.base });
  await expect(lookAtCheckout(path)).rejects.toMatchObject({ message: expect.stringContaining('worktree of devflow') });
});

it('makes a snapshot of a worktree that the person made', async () => {
  const at = given();
  const path = join(at.root, 'theirs');
  at.git('worktree', 'add', '-q', '-b', 'theirs', path);
  writeFileSync(join(path, 'new.txt'), 'x\n');
  await lookAtCheckout(path);
  const { head } = await untouched(at, () => snapshotCheckout({ ...at.of(), path }));
  expect(at.changes(at.base, head)).toEqual(['A\tnew.txt']);
});

it('lists the snapshots of one run', async () => {
  const at = given();
  at.write({ 'new.txt': 'x\n' });
  const { head } = await snapshotCheckout(at.of());
  at.write({ 'other.txt': 'x\n' });
  const other = await snapshotCheckout({ ...at.of(), runId: 'other' });
  expect([await listSnapshots(at.dir, 'run'), await listSnapshots(at.dir, 'other')]).toEqual([[head], [other.head]]);
});
