import type { PrivateGit } from '../privateGit/privateGit.ts';
import { readTree, withScratchIndex, writeTree } from '../privateGit/privateIndex.ts';
import type { Stage } from '../tree/mergeTrees.ts';
import { readStatus } from '../worktree/worktreeStatus.ts';

/**
 * The tree of the worktree's files, with those that git ignores only if `like` has them. `submodules` are versions of
 * submodules to take, or to remove: an agent cannot change them in the worktree.
 */
export function resolutionTree(
  privateGit: PrivateGit,
  like: string,
  submodules: readonly Stage[] = [],
): Promise<string> {
  return withScratchIndex(privateGit, async (index) => {
    await readTree(privateGit, index, like);
    const { paths } = await readStatus(privateGit, index);
    await writeTree(privateGit, index, paths);
    const input = submodules.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join('');
    if (input !== '') await privateGit.run(['update-index', '-z', '--index-info'], { index, input, bytes: true });
    return writeTree(privateGit, index, []);
  });
}
