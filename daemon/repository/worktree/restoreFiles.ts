import { latin1Of } from '../git/pathBytes.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex, readTree, withIndex } from '../privateGit/privateIndex.ts';
import { clearPath } from '../tree/treeFiles.ts';
import { refillSubmodules } from './refillSubmodules.ts';
import { settleWorktree } from './worktreeHead.ts';
import { readStatus } from './worktreeStatus.ts';

/**
 * Gives a worktree exactly the files of its HEAD. Changed and untracked files are lost, and repositories and changes in
 * submodules too, unless `keepsRepositories`. Ignored files stay, so that a test need not install dependencies again, unless
 * they are in the way. A second call after a kill does the rest. Throws git_failed.
 */
export async function restoreFiles(
  privateGit: PrivateGit,
  { keepsRepositories = false }: { keepsRepositories?: boolean } = {},
): Promise<void> {
  await withIndex(privateGit, async (index) => {
    const before = await filesOf(privateGit, index);
    await readTree(privateGit, index, 'HEAD');
    const after = new Set(await filesOf(privateGit, index));
    // HEAD may ignore a file of the commit before.
    for (const path of before) if (!after.has(path)) await clearPath(privateGit.path, path);
    const { paths, nested } = await readStatus(privateGit, index);
    for (const path of paths) await clearPath(privateGit.path, path);
    const lost = keepsRepositories ? [] : nested;
    for (const directory of lost) await clearPath(privateGit.path, latin1Of(directory.slice(0, -1)));
    // git writes the missing files, and fails if one that exists differs.
    await privateGit.run(['checkout-index', '--all', '-u', '-q'], { index, timeoutMs: 600_000 });
  });
  await settleWorktree(privateGit);
  await refillSubmodules(privateGit, !keepsRepositories);
  await giveIndex(privateGit);
}

async function filesOf(privateGit: PrivateGit, index: string): Promise<string[]> {
  const entries = await privateGit.read(['ls-files', '--stage', '-z'], { index, bytes: true });
  return entries.split('\0').flatMap((entry) => /^(?!160000)\d+ .*?\t(.*)$/s.exec(entry)?.[1] ?? []);
}
