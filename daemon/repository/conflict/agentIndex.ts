import { join } from 'node:path';
import { type PrivateGit, replace } from '../privateGit/privateGit.ts';
import { copyIndex, readTree, withScratchIndex } from '../privateGit/privateIndex.ts';
import type { MergedTrees } from '../tree/mergeTrees.ts';

/**
 * Gives the agent's own git an index with the conflict, as `git merge` leaves it: `git status` and `git diff` show what is
 * left to do, and git refuses to commit, stash or switch.
 */
export async function giveConflictIndex(privateGit: PrivateGit, { tree, stages }: MergedTrees): Promise<void> {
  await withScratchIndex(privateGit, async (index) => {
    await readTree(privateGit, index, tree);
    const paths = [...new Set(stages.map(({ path }) => path))];
    const removed = paths.map((path) => `0 ${'0'.repeat(tree.length)}\t${path}\0`);
    const added = stages.map(({ mode, id, stage, path }) => `${mode} ${id} ${stage}\t${path}\0`);
    const input = [...removed, ...added].join('');
    await privateGit.run(['update-index', '-z', '--index-info'], { index, input, bytes: true });
    await replace(join(privateGit.entry.directory, 'index'), (fresh) => copyIndex(index, fresh));
  });
}
