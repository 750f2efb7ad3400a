import { DevflowError } from '../../../schemas/errors.ts';
import type { Run } from '../../core/run/state.ts';
import { exists } from '../../repository/git/repositoryFiles.ts';
import { removeDetachedWorktree } from '../../repository/worktree/detachedWorktree.ts';
import type { Cleaned } from './laneCleanup.ts';

/** Removes a worktree without a branch, which never holds anybody's work: of checks, or of a reviewer. */
export async function removeDetached({ repoPath }: Run, path: string): Promise<Cleaned> {
  const isPresent = await exists(path);
  try {
    if (isPresent || (await exists(repoPath))) await removeDetachedWorktree({ repoPath, path });
  } catch (error) {
    return keptFor(path, error);
  }
  return isPresent ? { removed: [{ path, branch: null }] } : {};
}

/** A worktree that could not be removed, and why. */
export function keptFor(path: string, error: unknown): Cleaned {
  if (!(error instanceof DevflowError)) throw error;
  return { kept: [{ path, reason: `${error.message} ${error.recoveryHint ?? ''}`.trimEnd(), approvalId: null }] };
}
