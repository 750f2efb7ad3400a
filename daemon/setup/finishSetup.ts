import { inTurn } from '../repository/git/inTurn.ts';
import { textOf } from '../repository/git/pathBytes.ts';
import { setAside } from '../repository/privateGit/keptBeside.ts';
import { addExcluded } from '../repository/privateGit/ownExcludes.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { giveIndex, readTree, withScratchIndex } from '../repository/privateGit/privateIndex.ts';
import { commitNamed } from '../repository/privateGit/workCommit.ts';
import { clearPath, differing, filesOf } from '../repository/tree/treeFiles.ts';
import { settleWorktree } from '../repository/worktree/worktreeHead.ts';
import { type Before, type Finished, keepSetupState, readSetupState } from './setupState.ts';
import { listUntracked, rememberBefore } from './worktreeBefore.ts';

export type FinishedSetup = Pick<Finished, 'changed' | 'excluded'>;

/**
 * Ends the set-up `id`, also one whose command failed. Tracked files that its commands changed are put back, with their
 * modes, and so is the branch. New files that git does not ignore are excluded from all commits of this worktree. A call
 * after a kill returns the same.
 */
export function finishSetup({ privateGit, id }: { privateGit: PrivateGit; id: string }): Promise<FinishedSetup> {
  return inTurn(`setup ${privateGit.gitDir}`, async () => {
    const { before: open, finished: known } = await readSetupState(privateGit);
    if (known?.id === id && open?.id !== id) return { changed: known.changed, excluded: known.excluded };
    const before = await rememberBefore(privateGit, id);
    const moved = await movedBranch(privateGit, before);
    // Kept first: so a second call knows what the first one did.
    const earlier = known?.id === id ? known : { id, changed: [], excluded: [] };
    const changed = await withScratchIndex(privateGit, async (index) => {
      await readTree(privateGit, index, before.tree);
      const paths = [...(await differing(filesOf(privateGit), index))].sort();
      const names = union(earlier.changed, [...(moved ? [moved.ref] : []), ...paths.map(textOf)]);
      await keepSetupState(privateGit, { finished: { ...earlier, changed: names } });
      if (moved) await privateGit.objects(['update-ref', moved.ref, before.tip, ...moved.now]);
      await putBack(privateGit, index, paths);
      return names;
    });
    const made = await newPaths(privateGit, before);
    const finished = { id, changed, excluded: union(earlier.excluded, made.map(textOf)) };
    await keepSetupState(privateGit, { finished });
    await addExcluded(
      privateGit,
      made.map((path) => path.replace(/\/$/, '')),
    );
    await settleWorktree(privateGit);
    await giveIndex(privateGit);
    await keepSetupState(privateGit, { before: null });
    return { changed, excluded: finished.excluded };
  });
}

/** The branch, if it has another commit, and that commit. */
async function movedBranch(privateGit: PrivateGit, { tip }: Before) {
  if (privateGit.head !== undefined) return undefined;
  const ref = `refs/heads/${privateGit.branch}`;
  const now = await commitNamed(privateGit, ref);
  return now === tip ? undefined : { ref, now: now === undefined ? [] : [now] };
}

async function newPaths(privateGit: PrivateGit, before: Before): Promise<string[]> {
  const earlier = new Set(before.untracked);
  return (await listUntracked(privateGit)).filter((path) => !earlier.has(path));
}

async function putBack(privateGit: PrivateGit, index: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  // A person may have edited one of them meanwhile.
  const keep = setAside(privateGit.path);
  for (const path of paths) {
    keep(textOf(path));
    await clearPath(privateGit.path, path);
  }
  const input = paths.map((path) => `${path}\0`).join('');
  const args = ['checkout-index', '-q', '-z', '--stdin'];
  await privateGit.run(args, { index, input, bytes: true, timeoutMs: 600_000 });
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}
