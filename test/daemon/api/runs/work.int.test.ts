import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applyRun } from '../../../../daemon/api/runs/apply.ts';
import { diffOfRun } from '../../../../daemon/api/runs/diff.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../../daemon/repository/worktree/cleanupWorktree.ts';
import type { Applied } from '../../../../schemas/events/run.ts';
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
    applied: [],
    exchangePaths: [],
    ...where,
    ...more,
  } as unknown as Run;
  const diff = () => diffOfRun(run);
  const recorded: Applied[] = [];
  const record = { works: true };
  const engine = {
    openRuns: () => [],
    async recordApplied(_: string, applied: Applied) {
      if (!record.works) throw new Error('no database');
      recorded.push(applied);
      return { state: run.state, changed: true };
    },
  };
  const apply = (
    wish: {
      way?: 'auto' | 'branch' | 'squash';
      branch?: string;
      repo?: string;
      dryRun?: boolean;
      head?: string;
      at?: string;
    } = {},
  ) => applyRun(run, { way: 'auto', dryRun: true, ...wish }, { engine, log: { warn: () => {} } });
  return { repo, worktree, runDir, work, diff, apply, baseCommit, recorded, record };
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

describe('an apply is recorded', () => {
  const NOW = { dryRun: false } as const;

  it('once it is done, by the branch and both commits', async () => {
    const { repo, apply, work, baseCommit, recorded } = await given();
    await apply();
    expect(recorded).toEqual([]);
    await apply(NOW);
    const head = work.commit;
    expect(recorded).toEqual([{ target: 'main', commit: head, onto: baseCommit, head, way: 'fast_forward' }]);
    await apply({ ...NOW, way: 'branch', branch: 'mine' });
    expect(recorded[1]).toEqual({ target: 'mine', commit: head, onto: null, head, way: 'branch' });
    repo.git('reset', '-q', '--hard', baseCommit);
    await apply({ ...NOW, way: 'squash' });
    const squash = repo.git('rev-parse', 'main');
    expect(recorded[2]).toEqual({ target: 'main', commit: squash, onto: baseCommit, head, way: 'squash' });
  });

  it('where the branch has the work already, as after a kill or a merge by hand', async () => {
    const { repo, worktree, apply, work, recorded } = await given();
    repo.git('merge', '-q', '--no-ff', '-m', 'Merge', worktree.branch);
    const main = repo.git('rev-parse', 'main');
    expect(await apply(NOW)).toMatchObject({ does: 'nothing' });
    expect(recorded).toEqual([{ target: 'main', commit: main, onto: main, head: work.commit, way: 'found' }]);
  });

  it('not if it is refused, if there is no work, or if only a branch of devflow has it', async () => {
    const refused = await given();
    refused.repo.write({ [ODD]: 'mine\n' });
    await expect(refused.apply(NOW)).rejects.toMatchObject({ code: 'checkout_unready' });
    const { repo, worktree, apply, baseCommit, recorded } = await given({
      lastCommit: null,
      phases: [],
      reviewHead: null,
    });
    repo.git('switch', '-q', '--ignore-other-worktrees', worktree.branch);
    expect(await apply(NOW)).toMatchObject({ does: 'nothing' });
    repo.git('switch', '-q', 'main');
    repo.git('-C', worktree.path, 'reset', '-q', '--hard', baseCommit);
    expect(await apply(NOW)).toMatchObject({ does: 'nothing', sentence: expect.stringContaining('no commits') });
    expect([refused.recorded, recorded]).toEqual([[], []]);
  });

  it('or the answer says that it was not, and still that the branch has the work', async () => {
    const { apply, record, work } = await given();
    record.works = false;
    const { applied, commit, notes } = await apply(NOW);
    expect([applied, commit]).toEqual([true, work.commit]);
    expect(notes).toEqual(['devflow could not record this apply. To record it, run devflow run apply again.']);
  });
});
