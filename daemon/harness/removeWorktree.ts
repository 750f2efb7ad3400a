import { lstat, rename, rm } from 'node:fs/promises';
import { DevflowError } from '../../schemas/errors.ts';
import { dirtyFiles } from './dirty.ts';
import { createGit, type Git } from './git.ts';
import { keepCommits } from './keepCommits.ts';
import { type LanePlace, makeLane } from './lane.ts';
import { canonical, commonDirectory, exists, findWorktree, type WorktreeEntry } from './repositoryFiles.ts';

const REMOVING = '.removing';

export interface RemovedWorktree {
  /** What `keep` returned; null when everything was committed. */
  saved: string | null;
  /** Refs that hold what no branch has. */
  keptRefs: string[];
}

/**
 * Removes a worktree and leaves its branch. Commits that no ref holds get one. Does nothing when the worktree is gone
 * already; each step may be repeated after a crash. When something is not committed, `keep` saves it first; without
 * `keep` it throws worktree_dirty, naming the files.
 */
export async function removeWorktree(
  place: LanePlace,
  git: Git = createGit(),
  keep?: () => Promise<string>,
): Promise<RemovedWorktree> {
  const path = await canonical(place.path);
  const leftover = `${path}${REMOVING}`;
  await rm(leftover, { recursive: true, force: true });
  const common = await commonDirectory(place.repoPath);
  const entry = await findWorktree(common, path);
  if (!entry) {
    if (!(await exists(path))) return { saved: null, keptRefs: [] };
    throw new DevflowError('git_failed', `${path} is not a worktree of ${place.repoPath}, so it stays where it is.`);
  }
  let saved: string | null = null;
  if ((await lstat(path).catch(() => undefined))?.isDirectory()) {
    const files = await dirtyFiles({ ...place, path }, git);
    if (files.length > 0 && !keep) throw worktreeDirty(path, files);
    if (files.length > 0 && keep) saved = await keep();
  }
  // Renamed first, so that a crash in the middle of deleting cannot be taken for a worktree full of changes.
  if (await exists(path)) await rename(path, leftover);
  const keptRefs = await forgetWorktree({ ...place, path }, common, entry, git);
  await rm(leftover, { recursive: true, force: true });
  return { saved, keptRefs };
}

/**
 * Without its directory, git forgets this one entry, and looks into no repository inside of it; `git worktree prune`
 * would forget the person's missing worktrees too.
 */
export async function forgetWorktree(
  place: LanePlace,
  common: string,
  entry: WorktreeEntry,
  git: Git,
): Promise<string[]> {
  const kept = await keepCommits(await makeLane(place, common, entry, git));
  if (entry.lock === 'initializing') await git.run(common, ['worktree', 'unlock', place.path], { gitDir: common });
  await git.run(common, ['worktree', 'remove', place.path], { gitDir: common });
  return kept;
}

function worktreeDirty(path: string, files: readonly string[]): DevflowError {
  const named = files.slice(0, 10).join(', ');
  const more = files.length > 10 ? ` and ${files.length - 10} more` : '';
  return new DevflowError('worktree_dirty', `${path} has uncommitted changes: ${named}${more}.`, {
    data: { path, files },
  });
}
