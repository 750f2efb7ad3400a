import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { readLeftBehind } from '../../../../daemon/repository/worktree/leftBehind.ts';
import { sha256hex } from '../../../../schemas/hash.ts';
import { isolatedEnv, makeRepo } from '../../../helpers/testRepo.ts';

function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-left-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const store = (name: string, text: string) => {
    writeFileSync(join(root, name), text);
    return { storedPath: join(root, name), path: join(root, 'run', 'main', 'gone', name), hash: sha256hex(text) };
  };
  const repo = makeRepo(join(root, 'repo'), isolatedEnv(join(root, 'home')));
  const baseCommit = repo.git('rev-parse', 'HEAD');
  const run = { runId: 'run', baseBranch: 'main', baseCommit };
  const worktree = { repoPath: repo.dir, path: join(root, 'run', 'main'), branch: 'devflow/run/main', ...run };
  return { repo, worktree, store, root };
}

it('reads the artifacts and counts uncommitted files', async () => {
  const { worktree, store } = given();
  await addWorktree({ ...worktree, startCommit: worktree.baseCommit });
  mkdirSync(join(worktree.path, 'new'));
  for (const name of ['README.md', 'new/a.txt', 'new/b.txt']) writeFileSync(join(worktree.path, name), 'changed');
  const artifacts = [
    { id: 'one', valid: true, ...store('one.json', '{"openQuestions":["why"]}') },
    { id: 'broken', valid: true, ...store('broken.json', '{') },
    { id: 'gone', valid: true, ...store('gone.json', '{}'), storedPath: '/nonexistent/gone.json' },
    { id: 'changed', valid: true, ...store('changed.json', '{"openQuestions":[]}'), hash: sha256hex('{}') },
    { id: 'invalid', valid: false, ...store('invalid.json', '{}'), storedPath: null },
  ];
  const { contents, dirtyFiles } = await readLeftBehind(
    artifacts.map((each) => ({ ...each, worktree: worktree.path })),
    worktree,
  );
  expect(contents).toEqual({ one: { openQuestions: ['why'] } });
  expect(dirtyFiles).toBe(3);
});

it('counts no files without a worktree', async () => {
  const { root, worktree } = given();
  const nothing = { contents: {}, dirtyFiles: 0, changedArtifacts: [], branchCommits: [] };
  expect(await readLeftBehind([], worktree)).toEqual({ ...nothing, hasWorktree: false });
  expect(await readLeftBehind([], { ...worktree, path: join(root, 'home') })).toEqual({
    ...nothing,
    hasWorktree: true,
  });
});

it('lists every commit of the branch, even after the worktree is removed', async () => {
  const { repo, worktree } = given();
  await addWorktree({ ...worktree, startCommit: worktree.baseCommit });
  repo.git('-C', worktree.path, 'commit', '-q', '--allow-empty', '-m', 'Of an agent');
  const commit = repo.git('rev-parse', worktree.branch);
  expect(await readLeftBehind([], worktree)).toMatchObject({ branchCommits: [commit], hasWorktree: true });
  rmSync(worktree.path, { recursive: true });
  expect(await readLeftBehind([], worktree)).toMatchObject({ branchCommits: [commit], hasWorktree: false });
});

it('names the branches of the person that have the work, even squashed', async () => {
  const { repo, worktree } = given();
  await addWorktree({ ...worktree, startCommit: worktree.baseCommit });
  repo.git('-C', worktree.path, 'commit', '-q', '--allow-empty', '-m', 'Of an agent');
  const takenOver = async () => (await readLeftBehind([], worktree)).takenOver;
  expect(await takenOver()).toEqual([]);
  repo.git('branch', 'taken', worktree.branch);
  expect(await takenOver()).toEqual(['taken']);
  repo.git('commit', '-q', '--allow-empty', '-m', 'Squashed\n\nDevflow-Run: run');
  expect(await takenOver()).toEqual(['main', 'taken']);
  repo.git('branch', '-m', 'main', 'trunk');
  expect(await takenOver()).toEqual(['taken']);
});
