import { DevflowError } from '../../../schemas/errors.ts';
import { shellWord } from '../../../schemas/shellWord.ts';
import type { RepositoryFacts } from './git.ts';

/** The first part of the names of all branches that devflow makes. */
export const OWN_BRANCHES = 'devflow';

/**
 * One of these branches that makes `name` impossible. Git keeps `a` as a file and `a/b` in a directory of that name.
 */
export function branchInTheWay(branches: readonly string[], name: string): string | undefined {
  return branches.find((each) => each.startsWith(`${name}/`) || name.startsWith(`${each}/`));
}

/** Throws repo_invalid if git could not make a run's branches in this repository. */
export function refuseOwnBranchesTaken({ repoPath, branches }: RepositoryFacts): void {
  if (!branches.includes(OWN_BRANCHES)) return;
  const message = `The branch ${OWN_BRANCHES} of ${repoPath} is in the way: devflow names its branches ${OWN_BRANCHES}/<run>/<lane>.`;
  throw new DevflowError('repo_invalid', message, {
    recoveryHint: `Rename it (git -C ${shellWord(repoPath)} branch -m ${OWN_BRANCHES} ${OWN_BRANCHES}-old), then try again.`,
  });
}
