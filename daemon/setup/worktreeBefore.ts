import { parseStatus, statusArgs } from '../repository/git/statusOutput.ts';
import { treeOf } from '../repository/privateGit/history.ts';
import { isExcluded, readExcluded } from '../repository/privateGit/ownExcludes.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { withScratchIndex, writeTree } from '../repository/privateGit/privateIndex.ts';
import { readStatus } from '../repository/worktree/worktreeStatus.ts';
import { type Before, keepSetupState, readSetupState } from './setupState.ts';

/**
 * Keeps how the worktree is now, before the commands of the set-up `id`. A later call for the same set-up, after a kill,
 * changes nothing.
 */
export async function rememberBefore(privateGit: PrivateGit, id: string): Promise<Before> {
  const { before: known } = await readSetupState(privateGit);
  if (known?.id === id) return known;
  const { tip, files, paths, untracked } = await readStatus(privateGit);
  const commit = tip ?? 'HEAD';
  const isNew = new Set(untracked);
  // An agent may have changed tracked files: they stay as they are.
  const changed = paths.filter((_, at) => !isNew.has(files[at] as string));
  const tree =
    changed.length === 0
      ? await treeOf(privateGit, commit)
      : await withScratchIndex(privateGit, (index) => writeTree(privateGit, index, changed));
  const before = { id, tip: commit, tree, untracked: await listUntracked(privateGit) };
  await keepSetupState(privateGit, { before, finished: null });
  return before;
}

/** Files that git does not know and would commit, one character per byte. A new directory is one entry, with a slash. */
export async function listUntracked(privateGit: PrivateGit): Promise<string[]> {
  const text = await privateGit.read(statusArgs('normal'), { bytes: true, timeoutMs: 600_000 });
  const excluded = readExcluded(privateGit.gitDir);
  return parseStatus(text).entries.flatMap(({ untracked, path }) =>
    untracked && !isExcluded(excluded, path.replace(/\/$/, '')) ? [path] : [],
  );
}
