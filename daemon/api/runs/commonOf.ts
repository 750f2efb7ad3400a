import { DevflowError } from '../../../schemas/errors.ts';
import { commonDirectory } from '../../repository/git/repositoryFiles.ts';

/** git's common directory, by which devflow knows a repository. Throws `repo_invalid`. */
export function commonOf(repoPath: string): Promise<string> {
  return commonDirectory(repoPath).catch((cause) => {
    throw new DevflowError('repo_invalid', `The git repository at ${repoPath} is gone.`, {
      cause,
      recoveryHint: 'Put it back. To apply, name another checkout of it: --repo <dir>.',
    });
  });
}
