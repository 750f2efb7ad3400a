import { rename } from 'node:fs/promises';
import { DevflowError } from '../../../schemas/errors.ts';
import { removeTree } from '../../../schemas/files/removeTree.ts';
import { someOf } from '../../../schemas/text/phrases.ts';
import { createGit, type Git } from '../git/git.ts';
import { refuseCheckout } from '../git/refuseCheckout.ts';
import {
  canonical,
  commonDirectory,
  exists,
  findWorktree,
  isDirectory,
  type WorktreeEntry,
} from '../git/repositoryFiles.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { forgetBeside } from '../privateGit/keptBeside.ts';
import { makePrivateGit } from '../privateGit/privateGit.ts';
import { clearCopies, clearHalfMade, removeEntry, removingPlace } from './halfMade.ts';
import { keepCommits } from './keepCommits.ts';
import { uncommittedFiles } from './worktreeStatus.ts';

export interface RemovedWorktree {
  /** The result of `keep`; null if everything was committed. */
  saved: string | null;
  /** Refs to commits that no branch has. */
  keptRefs: string[];
}

/**
 * Removes a worktree and keeps its branch. Creates refs for commits that have none. Each step can be repeated after a crash.
 * `keep` saves uncommitted files first. Without `keep` it throws worktree_dirty, which names them.
 */
export async function removeWorktree(place: WorktreePlace, keep?: () => Promise<string>): Promise<RemovedWorktree> {
  refuseCheckout(place);
  const git = createGit();
  const path = await canonical(place.path);
  const leftover = removingPlace(path);
  await removeTree(leftover);
  const common = await commonDirectory(place.repoPath);
  await clearHalfMade(path, common, git);
  await clearCopies(path);
  const entry = await findWorktree(common, path);
  if (!entry) {
    if (!(await exists(path))) {
      await forgetBeside(path);
      return { saved: null, keptRefs: [] };
    }
    throw new DevflowError('git_failed', `devflow does not remove ${path}: it is not a worktree of ${place.repoPath}.`);
  }
  let saved: string | null = null;
  if (await isDirectory(path)) {
    const files = await uncommittedFiles({ ...place, path });
    if (files.length > 0 && !keep) throw worktreeDirty(path, files);
    if (files.length > 0 && keep) saved = await keep();
  }
  // Rename first, so that a half-deleted worktree never looks like one with many changes.
  if (await exists(path)) await rename(path, leftover);
  const keptRefs = await forgetWorktree({ ...place, path }, common, entry, git);
  await removeTree(leftover);
  await forgetBeside(path);
  return { saved, keptRefs };
}

/**
 * Removes git's entry of a worktree whose directory is already gone, so that git enters no repository inside it. With
 * `git worktree prune`, entries of the person's missing worktrees would go too.
 */
export async function forgetWorktree(
  place: WorktreePlace,
  common: string,
  entry: WorktreeEntry,
  git: Git,
): Promise<string[]> {
  refuseCheckout(place);
  const kept = await keepCommits(await makePrivateGit(place, common, entry, git));
  await removeEntry(place.path, common, entry, git);
  return kept;
}

function worktreeDirty(path: string, files: readonly string[]): DevflowError {
  return new DevflowError('worktree_dirty', `${path} has uncommitted changes: ${someOf(files, 10)}.`, {
    data: { path, files },
  });
}
