import { normalPath, repositoryPathFault } from '../../../schemas/files/repositoryPath.ts';
import { latin1Of } from '../git/pathBytes.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';

/** Larger files are not read: nothing in them can be quoted. */
const MOST_BYTES = 8 * 1024 * 1024;
/** A NUL in the first bytes makes a file binary, as for git. */
const SAMPLED_BYTES = 8000;

/** Reads the lines of a file at a commit, each file once. Undefined if there is no such text file. */
export function fileLines(
  privateGit: PrivateGit,
  commit: string,
): (path: string) => Promise<readonly string[] | undefined> {
  const known = new Map<string, Promise<readonly string[] | undefined>>();
  return (path) => {
    const before = known.get(path);
    if (before) return before;
    const lines = readLines(privateGit, commit, path);
    known.set(path, lines);
    return lines;
  };
}

/** From the commit, never from the worktree, which an agent may change. */
async function readLines(privateGit: PrivateGit, commit: string, path: string): Promise<readonly string[] | undefined> {
  // git ends with a fault for a path outside of the repository.
  if (path.includes('\n') || repositoryPathFault(path) !== undefined) return undefined;
  const named = { read: true, bytes: true, input: `${commit}:${latin1Of(normalPath(path))}\n` };
  const { stdout: facts } = await privateGit.objects(['cat-file', '--batch-check'], named);
  // A missing path is answered with its name.
  const [, id = '', size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(facts) ?? [];
  if (id === '' || Number(size) > MOST_BYTES) return undefined;
  const { stdout } = await privateGit.objects(['cat-file', 'blob', id], { read: true });
  if (stdout.slice(0, SAMPLED_BYTES).includes('\0')) return undefined;
  return stdout.split(/\r?\n/);
}
