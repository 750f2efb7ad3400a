import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { applyRun } from '../../../../daemon/api/runs/apply.ts';
import { diffOfRun } from '../../../../daemon/api/runs/diff.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../../daemon/repository/worktree/cleanupWorktree.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

const ODD = 'odd \u001b[31m.txt';

/** A run that changed a file, and left another one uncommitted. */
async function given(more: Partial<Run> = {}) {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const baseCommit = repo.git('rev-parse', 'HEAD');
  const runDir = join(repo.root, 'ws', 'run');
  const worktree = { repoPath: repo.dir, path: join(runDir, 'main'), branch: 'devflow/run/main' };
  await addWorktree({ ...worktree, startCommit: baseCommit });
  writeFileSync(join(worktree.path, ODD), 'one\n');
  const trailers = { run: 'run', phase: 'p', attempt: 1 };
  const work = await commitWork({ worktree, since: baseCommit, subject: 's', trailers });
  const where = {
    repoPath: repo.dir,
    worktreeRoot: worktree.path,
    branch: worktree.branch,
    baseBranch: 'main',
    baseCommit,
  };
  const run = {
    id: 'run',
    state: 'completed',
    requirementsMd: 'Wish',
    phases: [{ kind: 'agent', assignments: [], commits: [work] }],
    lastCommit: work.commit,
    approvals: [],
    exchangePaths: [],
    ...where,
    ...more,
  } as unknown as Run;
  const diff = () => diffOfRun(run);
  const apply = (
    wish: {
      way?: 'auto' | 'branch';
      branch?: string;
      repo?: string;
      dryRun?: boolean;
      head?: string;
      at?: string;
    } = {},
  ) => applyRun(run, { way: 'auto', dryRun: true, ...wish });
  return { repo, worktree, runDir, work, diff, apply, baseCommit };
}

it('shows the changed files and counts, also after cleanup and without the branch', async () => {
  const { repo, worktree, runDir, diff, work, baseCommit } = await given();
  writeFileSync(join(worktree.path, 'loose.txt'), 'x\n');
  const shown = await diff();
  expect(shown).toMatchObject({ branch: worktree.branch, base: baseCommit, head: work.commit, uncommittedFiles: 1 });
  expect(shown.files).toEqual([{ path: ODD, insertions: 1, deletions: 0 }]);
  expect(shown.totals).toEqual({ files: 1, insertions: 1, deletions: 0 });
  expect(shown.patch).toContain('+one\n');
  expect(shown.stat).toContain('1 file changed');
  await cleanupWorktree({ ...worktree, runDir, laneId: 'main', force: true });
  expect(await diff()).toMatchObject({ uncommittedFiles: null, patch: shown.patch });
  repo.git('update-ref', 'refs/devflow/kept/x', work.commit as string);
  repo.git('branch', '-qD', worktree.branch);
  expect(await diff()).toMatchObject({ branch: null, head: work.commit, patch: shown.patch });
});

it('says what came after the approval, of an ended run', async () => {
  const { worktree, repo, diff, apply, work } = await given();
  expect(await diff()).toMatchObject({ moved: null });
  writeFileSync(join(worktree.path, 'late.txt'), 'x\n');
  repo.git('-C', worktree.path, 'add', '.');
  repo.git('-C', worktree.path, 'commit', '-qm', 'Slip in');
  const moved = { approved: work.commit, source: 'devflow', hasApproved: true, commitCount: 1 };
  expect(await diff()).toMatchObject({ moved });
  expect(await apply()).toMatchObject({ moved });
  await expect(apply({ dryRun: false })).rejects.toMatchObject({ code: 'branch_moved' });
  await expect(apply({ head: moved.approved as string, at: moved.approved as string })).rejects.toMatchObject({
    code: 'usage',
  });
  const open = await given({ state: 'executing', lastCommit: null });
  expect(await open.diff()).toMatchObject({ moved: null });
});

it('warns that an apply leaves out uncommitted files', async () => {
  const { worktree, apply } = await given();
  writeFileSync(join(worktree.path, 'loose.txt'), 'x\n');
  expect((await apply()).notes).toEqual(['1 file in the worktree is not committed, and so not in these changes.']);
});

it('refuses an open run, and says how an ended run ended', async () => {
  const open = await given({ state: 'executing' });
  await expect(open.apply()).rejects.toMatchObject({
    code: 'state_conflict',
    recoveryHint: expect.stringContaining('run abort run'),
  });
  const failed = await given({ state: 'failed' });
  expect((await failed.apply()).notes).toContain('The run is failed, not completed.');
  const undelivered = await given({ delivered: { commit: null, ignored: [], reason: 'The branch is gone.' } });
  expect((await undelivered.apply()).notes).toEqual([
    "The run's branch does not have all its last files: The branch is gone.",
  ]);
});

it('accepts another worktree of the same repository only', async () => {
  const { repo, worktree, apply } = await given();
  const linked = join(repo.root, 'linked');
  repo.git('worktree', 'add', '-q', '-b', 'other', linked);
  mkdirSync(join(linked, 'sub'));
  expect(await apply({ repo: join(linked, 'sub') })).toMatchObject({ repoPath: linked, target: 'other' });
  await expect(apply({ repo: worktree.path })).rejects.toMatchObject({
    code: 'repo_invalid',
    message: expect.stringContaining('own worktree'),
  });
  const foreign = join(repo.root, 'foreign');
  repo.gitIn(repo.root, 'clone', '-q', repo.dir, foreign);
  await expect(apply({ repo: foreign })).rejects.toMatchObject({
    code: 'repo_invalid',
    message: expect.stringContaining('another repository'),
  });
  await expect(apply({ repo: repo.root })).rejects.toMatchObject({ code: 'repo_invalid' });
  await expect(apply({ branch: 'x' })).rejects.toMatchObject({ code: 'usage' });
  await expect(apply({ way: 'branch' })).resolves.toMatchObject({ blocked: { code: 'usage' } });
});

it('says what to do when the repository is gone', async () => {
  const { repo, diff, apply } = await given();
  renameSync(repo.dir, `${repo.dir}-moved`);
  const gone = { code: 'repo_invalid', recoveryHint: expect.stringContaining('--repo') };
  await expect(apply()).rejects.toMatchObject(gone);
  await expect(diff()).rejects.toMatchObject(gone);
  mkdirSync(repo.dir);
});
