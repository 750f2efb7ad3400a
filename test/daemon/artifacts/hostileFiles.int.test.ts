import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addWorktree } from '../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../daemon/repository/worktree/cleanupWorktree.ts';
import { diffSince } from '../../../daemon/repository/worktree/diff.ts';
import { uncommittedFiles } from '../../../daemon/repository/worktree/worktreeStatus.ts';
import { commitWork } from '../../helpers/commitWork.ts';
import { scratchRepo } from '../../helpers/repo.ts';

/** `submodule`: the base commit has one, at this path. */
async function given({ submodule }: { submodule?: string } = {}) {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  if (submodule) {
    repo.git('update-index', '--add', '--cacheinfo', `160000,${repo.git('rev-parse', 'HEAD')},${submodule}`);
    repo.git('commit', '-qm', 'A submodule');
  }
  const startCommit = repo.git('rev-parse', 'HEAD');
  const runDir = join(repo.root, 'workspaces', 'run');
  const worktree = { repoPath: repo.dir, path: join(runDir, 'main'), branch: 'devflow/run/main' };
  await addWorktree({ ...worktree, startCommit });
  const marker = join(repo.root, 'planted-code-ran');
  const script = join(repo.root, 'planted.sh');
  writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat 2>/dev/null\n`);
  chmodSync(script, 0o755);
  const put = (name: string, text: string) => writeFileSync(join(worktree.path, name), text);
  const trailers = { run: 'run', phase: 'implement', attempt: 1 };
  const work = { worktree, subject: 'devflow: implement', since: startCommit, trailers };
  /** A repository below `parent`, with a commit and settings that run the script. */
  const plant = (parent: string, name: string) => {
    const dir = join(parent, name);
    mkdirSync(dir, { recursive: true });
    repo.gitIn(dir, 'init', '-q');
    writeFileSync(join(dir, 'inner.txt'), 'inner\n');
    repo.gitIn(dir, 'add', '-A');
    repo.gitIn(dir, '-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-qm', 'inner');
    repo.gitIn(dir, 'config', 'core.fsmonitor', script);
    return dir;
  };
  /** Every call of git that devflow makes on a worktree. */
  const useAll = async () => {
    await uncommittedFiles(worktree);
    const made = await commitWork(work);
    await commitWork(work);
    await diffSince(worktree, { from: startCommit });
    await uncommittedFiles(worktree);
    return made;
  };
  return { repo, runDir, worktree, work, startCommit, marker, script, put, plant, useAll };
}

describe('a repository inside the worktree', () => {
  it('stays out of the commit, is named, and runs nothing', async () => {
    const { repo, worktree, plant, put, useAll, marker } = await given();
    plant(worktree.path, 'vendor/lib');
    plant(join(worktree.path, '.devflow'), 'hidden');
    put('made.txt', 'x\n');
    const made = await useAll();
    expect(made).toMatchObject({ files: 1, nestedRepositories: ['.devflow/hidden', 'vendor/lib'] });
    expect(repo.git('ls-tree', '-r', '--name-only', worktree.branch).split('\n')).not.toContain('vendor/lib');
    expect(existsSync(marker)).toBe(false);
  });

  it('is named and copied before cleanup if it is a submodule of the base commit', async () => {
    const { runDir, worktree, work, plant } = await given({ submodule: 'lib' });
    expect(await commitWork(work)).toEqual({ commit: null, files: 0, insertions: 0, deletions: 0 });
    expect(await uncommittedFiles(worktree)).toEqual([]);
    plant(worktree.path, 'lib');
    expect(await commitWork(work)).toMatchObject({ commit: null, nestedRepositories: ['lib'] });
    const clean = { ...worktree, runDir, laneId: 'main' };
    await expect(cleanupWorktree(clean)).rejects.toMatchObject({ code: 'worktree_dirty' });
    const { salvaged } = await cleanupWorktree({ ...clean, force: true });
    expect(readFileSync(join(salvaged ?? '', 'files/lib/inner.txt'), 'utf8')).toBe('inner\n');
  });

  it('is named if nothing else changed', async () => {
    const { worktree, work, plant } = await given();
    plant(worktree.path, 'lib');
    expect(await commitWork(work)).toMatchObject({ commit: null, nestedRepositories: ['lib'] });
  });

  it('does not stop cleanup, which keeps its files but not its .git', async () => {
    const { worktree, runDir, plant, marker } = await given();
    plant(worktree.path, 'lib');
    plant(join(worktree.path, '.devflow'), 'hidden');
    await expect(cleanupWorktree({ ...worktree, runDir, laneId: 'main' })).rejects.toMatchObject({
      code: 'worktree_dirty',
      data: { files: ['.devflow/hidden/', 'lib/'] },
    });
    const { salvaged } = await cleanupWorktree({ ...worktree, runDir, laneId: 'main', force: true });
    expect(readFileSync(join(salvaged as string, 'files/lib/inner.txt'), 'utf8')).toBe('inner\n');
    expect(existsSync(join(salvaged as string, 'files/lib/.git'))).toBe(false);
    expect(existsSync(join(salvaged as string, 'files/lib/dot-git/HEAD'))).toBe(true);
    expect(existsSync(worktree.path)).toBe(false);
    expect(existsSync(marker)).toBe(false);
  });
});

describe("the worktree's .git", () => {
  it.each(['removed', 'a file', 'a directory', 'a link'] as const)('is ignored if it is %s', async (kind) => {
    const { repo, worktree, plant, put, useAll, marker } = await given();
    const evil = plant(repo.root, 'evil');
    const dotGit = join(worktree.path, '.git');
    const text = readFileSync(dotGit, 'utf8');
    rmSync(dotGit);
    if (kind === 'a file') writeFileSync(dotGit, `gitdir: ${evil}/.git\n`);
    if (kind === 'a link') symlinkSync(join(evil, '.git'), dotGit);
    if (kind === 'a directory') {
      repo.gitIn(worktree.path, 'init', '-q');
      repo.gitIn(worktree.path, 'config', 'core.fsmonitor', join(repo.root, 'planted.sh'));
    }
    put('made.txt', 'x\n');
    expect(await useAll()).toMatchObject({ files: 1 });
    expect(existsSync(marker)).toBe(false);
    expect(repo.git('show', `${worktree.branch}:made.txt`)).toBe('x');
    expect(readFileSync(dotGit, 'utf8')).toBe(text);
    expect(repo.gitIn(worktree.path, 'status', '--short')).toBe('');
  });
});
