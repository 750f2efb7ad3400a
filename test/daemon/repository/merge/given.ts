import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { type ScratchRepo, scratchRepo } from '../../../helpers/repo.ts';

export const AT = '2026-01-02T03:04:05.678Z';

/** A repository with a base commit, and functions that make lanes of it as a run does. */
export function given(files: Record<string, string> = {}) {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const base = repo.commit({ 'f.txt': lines('1', '2', '3', '4', '5'), 'old.txt': 'old\n', ...files }, 'Base');
  const runDir = join(repo.root, 'ws', 'run');
  const place = (id: string) => ({
    repoPath: repo.dir,
    path: id === 'main' ? join(runDir, 'main') : join(runDir, 'lanes', id),
    branch: `devflow/run/${id}`,
  });
  /** A commit on a branch of its own from `from`. The person's checkout stays on main. */
  const commitOn = (id: string, change: Record<string, string> | ((repo: ScratchRepo) => void), from = base) => {
    repo.git('switch', '-q', '--detach', from);
    if (typeof change === 'function') change(repo);
    const head = repo.commit(typeof change === 'function' ? {} : change, id);
    repo.git('update-ref', `refs/heads/${place(id).branch}`, head);
    repo.git('switch', '-q', 'main');
    return head;
  };
  const tip = (id: string) => repo.git('rev-parse', place(id).branch);
  return {
    repo,
    base,
    runDir,
    place,
    commitOn,
    /** A commit that the agent of an open lane makes itself, after its turn. */
    commitLate: (id: string) => {
      const { path } = place(id);
      writeFileSync(join(path, 'late.txt'), 'late\n');
      repo.gitIn(path, 'add', 'late.txt');
      repo.gitIn(path, 'commit', '-qm', 'Late');
      return tip(id);
    },
    /** A lane as `mergeLanes` takes it. */
    lane: (laneId: string, change: Parameters<typeof commitOn>[1], from?: string) => ({
      laneId,
      head: commitOn(laneId, change, from),
    }),
    /** The worktree of main or of a lane, at the commit that its branch has, else at the base. */
    open: async (id: string) => {
      const worktree = place(id);
      await addWorktree({ ...worktree, startCommit: base });
      return worktree;
    },
    read: (id: string, name: string) => readFileSync(join(place(id).path, name), 'utf8'),
    tip,
  };
}

export type Given = ReturnType<typeof given>;

export function lines(...all: string[]): string {
  return all.map((line) => `${line}\n`).join('');
}
