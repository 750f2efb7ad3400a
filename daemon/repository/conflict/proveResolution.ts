import { someOf } from '../../../schemas/text/phrases.ts';
import { textOf } from '../git/pathBytes.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { automaticMerge } from '../merge/automaticMerge.ts';
import { treeOf } from '../privateGit/history.ts';
import { openPrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import { conflictGroups, type Stage } from '../tree/mergeTrees.ts';
import { readChanges } from '../tree/treeChanges.ts';
import { readEntries } from '../tree/treeFiles.ts';
import { agentGitFaults } from './agentGitFaults.ts';
import { fileFaults } from './fileFaults.ts';
import { groupProof, type ResolvedHunk } from './groupProof.ts';
import { groupVersions } from './groupVersions.ts';
import { resolutionTree } from './resolutionTree.ts';
import { chosenSubmodules } from './submoduleChoice.ts';

export interface ProveResolution {
  /** The worktree of the lane. */
  worktree: WorktreePlace;
  /** The commits of `prepareConflict`. */
  head: string;
  onto: string;
  hunks: readonly ResolvedHunk[];
  /** The commit that `findResolution` found: its tree is checked instead of the worktree. An agent can make one like it. */
  commit?: string;
}

/**
 * The tree to commit, with the tests and lines of tests that are gone: a person must agree to those. Or what is wrong, as
 * sentences for the agent.
 */
export type ProvenResolution = { ok: true; tree: string; droppedTests: string[] } | { ok: false; faults: string[] };

/**
 * Compares the files of a lane's worktree with the automatic merge. Only files in conflict may differ, and they have no
 * markers. Each line that a side added is there or listed as dropped. Changes nothing.
 */
export async function proveResolution(input: ProveResolution): Promise<ProvenResolution> {
  const { worktree, head, onto, hunks, commit } = input;
  const privateGit = await openPrivateGit(worktree);
  const gitFaults = commit === undefined ? await agentGitFaults(privateGit, head) : [];
  if (gitFaults.length > 0) return { ok: false, faults: gitFaults };
  const merged = await automaticMerge(privateGit, head, onto);
  const groups = conflictGroups(merged);
  const submodules = chosenSubmodules(merged.stages, hunks);
  const tree =
    commit === undefined
      ? await resolutionTree(privateGit, merged.tree, submodules.chosen)
      : await treeOf(privateGit, commit);
  const faults = [
    ...(await outsideFaults(privateGit, { head, automatic: merged.tree, tree }, groups.flat())),
    ...unknownHunks(hunks, groups),
    ...submodules.faults,
  ];
  const entries = await readEntries(privateGit, tree);
  const isChosen = ({ path, id }: Stage) => (entries.get(path)?.id ?? '') === id.replace(/^0+$/, '');
  if (!submodules.chosen.every(isChosen)) faults.push('A submodule is not the version that the artifact decides for.');
  const droppedTests: string[] = [];
  for (const paths of groups) {
    const { versions, withoutText } = await groupVersions(privateGit, paths, merged.stages, entries);
    const proof = groupProof(paths.map(textOf), versions, hunks);
    const files = { paths, stages: merged.stages, hunks, result: entries, withoutText };
    faults.push(...proof.faults, ...fileFaults(files));
    droppedTests.push(...proof.droppedTests);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, tree, droppedTests };
}

/** Files that differ from the automatic merge although they have no conflict. */
async function outsideFaults(
  privateGit: PrivateGit,
  { head, automatic, tree }: { head: string; automatic: string; tree: string },
  allowed: readonly string[],
): Promise<string[]> {
  const changes = await readChanges(privateGit, automatic, tree);
  const outside = changes.filter(({ path }) => !allowed.includes(path)).map(({ path }) => textOf(path));
  if (outside.length === 0) return [];
  if (tree === (await treeOf(privateGit, head))) {
    const restore = `git restore --source=${automatic} -- .`;
    return [`The merge is gone: all files are as they were before it. Bring it back, then resolve it: ${restore}`];
  }
  const restore = `git restore --source=${automatic} -- <file>`;
  return [
    `These files have no conflict, but differ from the automatic merge: ${someOf(outside, 20)}. Remove those that you added, and restore the others: ${restore}`,
  ];
}

function unknownHunks(hunks: readonly ResolvedHunk[], groups: readonly string[][]): string[] {
  const known = new Set(groups.flat().map(textOf));
  const unknown = [...new Set(hunks.map(({ path }) => path))].filter((path) => !known.has(path));
  return unknown.length === 0 ? [] : [`The artifact names files that have no conflict: ${someOf(unknown)}.`];
}
