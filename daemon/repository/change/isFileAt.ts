import { repositoryPathFault } from '../../../schemas/files/repositoryPath.ts';
import { latin1Of } from '../git/pathBytes.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';

/** True for any file of a commit: also one that is binary, huge or a link. */
export async function isFileAt(privateGit: PrivateGit, commit: string, path: string): Promise<boolean> {
  // git ends with a fault for a path outside of the repository, and reads one line for each object.
  if (repositoryPathFault(path) !== undefined) return false;
  const named = { read: true, bytes: true, input: `${commit}:${latin1Of(path)}\n` };
  const { stdout } = await privateGit.objects(['cat-file', '--batch-check'], named);
  return /^[0-9a-f]{40,64} blob \d+$/.test(stdout);
}
