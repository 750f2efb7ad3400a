import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { applyWork } from '../../../../daemon/repository/apply/apply.ts';
import { createGit } from '../../../../daemon/repository/git/git.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { type ScratchRepo, scratchRepo } from '../../../helpers/repo.ts';

/** A checkout of `main` that git can commit in, made as its owner made it. */
const UNUSUAL: [name: string, make: (repo: ScratchRepo) => string][] = [
  [
    'a worktree of a bare clone, which has no logs',
    ({ root, dir, gitIn, git }) => {
      const project = join(root, 'project');
      mkdirSync(project);
      git('clone', '-q', '--bare', dir, join(project, '.bare'));
      chmodSync(join(project, '.bare'), 0o2775);
      gitIn(join(project, '.bare'), 'config', 'user.name', 'Test');
      gitIn(join(project, '.bare'), 'config', 'user.email', 'test@localhost');
      writeFileSync(join(project, '.git'), 'gitdir: ./.bare\n');
      gitIn(project, 'worktree', 'add', '-q', 'main', 'main');
      rmSync(join(project, '.bare', 'worktrees', 'main', 'logs'), { recursive: true });
      return join(project, 'main');
    },
  ],
  [
    'a repository whose logs were removed',
    ({ dir }) => {
      rmSync(join(dir, '.git', 'logs'), { recursive: true });
      return dir;
    },
  ],
  [
    'a branch beside a tag of its name',
    ({ dir, git, commit }) => {
      git('tag', 'main');
      commit({ 'later.txt': 'later\n' });
      return dir;
    },
  ],
];

it.each(UNUSUAL)('commits work and applies it in %s', async (_, make) => {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const checkout = make(repo);
  const git = createGit();
  const { repoPath, headBranch } = await git.inspectRepository(checkout);
  expect([repoPath, headBranch]).toEqual([checkout, 'main']);
  const { branch, commit: baseCommit } = await git.resolveBranch(repoPath);
  expect([branch, baseCommit]).toEqual(['main', repo.gitIn(checkout, 'rev-parse', 'HEAD')]);
  const worktree = { repoPath, path: join(repo.root, 'run', 'main'), branch: 'devflow/run/main' };
  await addWorktree({ ...worktree, startCommit: baseCommit });
  writeFileSync(join(worktree.path, 'made.txt'), 'made\n');
  const trailers = { run: 'run', phase: 'implement', attempt: 1 };
  const work = { worktree, subject: 'devflow: implement', since: baseCommit, trailers };
  const { commit: lastCommit } = await commitWork(work);
  const done = await applyWork(checkout, {
    runId: 'run',
    runState: 'completed',
    work: worktree.branch,
    baseBranch: branch,
    baseCommit,
    lastCommit,
    accepted: [{ commit: lastCommit as string, source: 'devflow' as const }],
    title: 'Make it',
    summary: null,
    notes: [],
    way: 'auto',
    newBranch: undefined,
  });
  expect(done).toMatchObject({ target: 'main', applied: true });
  expect(existsSync(join(checkout, 'made.txt'))).toBe(true);
  expect(repo.gitIn(checkout, 'reflog', '-1', '--format=%H', worktree.branch)).toBe(lastCommit);
  expect(repo.gitIn(checkout, 'status', '--porcelain')).toBe('');
  const common = repo.gitIn(checkout, 'rev-parse', '--path-format=absolute', '--git-common-dir');
  const modes = ['.', 'logs', 'logs/refs'].map((name) => statSync(join(common, name)).mode);
  expect(modes).toEqual([modes[0], modes[0], modes[0]]);
});
