import { DevflowError } from '../../../schemas/errors.ts';
import { textOf } from '../git/pathBytes.ts';
import { commonBase } from '../privateGit/history.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { mergeAttributes, type Sides } from '../tree/attributes.ts';
import { type MergedTrees, mergeTrees, type Stage } from '../tree/mergeTrees.ts';
import { NONE, readChanges, type TreeChange } from '../tree/treeChanges.ts';

/** A merge that git makes without a person, and the newest commit that both sides contain. */
export interface AutomaticMerge extends MergedTrees {
  base: string;
}

/**
 * Merges two commits without a worktree. A file for which the repository forbids a merge by lines (`-merge`, `binary`)
 * conflicts, although its tree has merged lines. Throws git_failed if the commits have no common one.
 */
export async function automaticMerge(privateGit: PrivateGit, ours: string, theirs: string): Promise<AutomaticMerge> {
  const base = await commonBase(privateGit, ours, theirs);
  if (base === undefined) {
    throw new DevflowError('git_failed', `The commits ${ours} and ${theirs} have no common commit.`);
  }
  const merged = await mergeTrees(privateGit, ours, theirs);
  const forbidden = await forbiddenFiles(privateGit, { base, ours, theirs }, merged);
  if (forbidden.length === 0) return { base, ...merged };
  const conflicts = forbidden.map((path) => ({
    paths: [path],
    message: `CONFLICT (attributes): Both sides changed ${textOf(path)}, and .gitattributes forbids to merge it by lines.`,
  }));
  const stages = await stagesOf(privateGit, { base, ours, theirs }, forbidden);
  return {
    base,
    tree: merged.tree,
    stages: [...merged.stages, ...stages],
    conflicts: [...merged.conflicts, ...conflicts],
  };
}

/** The files that git merges as binary, which means that it does not merge them. Others merge by lines if no driver is there. */
async function forbiddenFiles(privateGit: PrivateGit, sides: Sides, { stages }: MergedTrees): Promise<string[]> {
  // No attribute of a worktree counts, only those of the tree.
  const inTree = { path: privateGit.path, privateGit, files: privateGit.objects };
  const values = await mergeAttributes(inTree, sides);
  const forbidden = [...values].flatMap(([path, value]) => (value === 'unset' || value === 'binary' ? [path] : []));
  return forbidden.filter((path) => !stages.some((stage) => stage.path === path));
}

async function stagesOf(
  privateGit: PrivateGit,
  { base, ours, theirs }: Sides,
  paths: readonly string[],
): Promise<Stage[]> {
  const mine = await readChanges(privateGit, base, ours);
  const their = await readChanges(privateGit, base, theirs);
  const find = (changes: TreeChange[], path: string) => changes.find((change) => change.path === path) as TreeChange;
  return paths.flatMap((path) => {
    const [one, other] = [find(mine, path), find(their, path)];
    const all: Stage[] = [
      { path, stage: 1, mode: one.oldMode, id: one.oldId },
      { path, stage: 2, mode: one.newMode, id: one.newId },
      { path, stage: 3, mode: other.newMode, id: other.newId },
    ];
    return all.filter(({ mode }) => mode !== NONE);
  });
}
