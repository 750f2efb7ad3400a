import { removeTree } from '../../../schemas/files/removeTree.ts';
import { makeHome } from '../../commands/ownHome.ts';
import type { AddWorktree } from '../../repository/worktree/addWorktree.ts';
import { checkoutDetached, removeDetachedWorktree } from '../../repository/worktree/detachedWorktree.ts';

/** A worktree and a home in which devflow measures a commit, and no agent works. */
export interface EvaluationPlace {
  repoPath: string;
  worktree: string;
  home: string;
}

type Commit = { commit: string } & Pick<AddWorktree, 'filters'>;

/** Makes the place anew: the files of the commit and nothing else, and an empty home. Throws git_failed. */
export async function makeEvaluationPlace(place: EvaluationPlace, commit: Commit): Promise<void> {
  await removeEvaluationPlace(place);
  await restoreEvaluationPlace(place, commit);
  await makeHome(place.home);
}

/** Undoes what a command changed. New files that git ignores stay for the next command of the same evaluation. */
export async function restoreEvaluationPlace({ repoPath, worktree }: EvaluationPlace, commit: Commit): Promise<void> {
  await checkoutDetached({ repoPath, path: worktree, ...commit });
}

export async function removeEvaluationPlace({ repoPath, worktree, home }: EvaluationPlace): Promise<void> {
  await removeDetachedWorktree({ repoPath, path: worktree });
  await removeTree(home);
}
