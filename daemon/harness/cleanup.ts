import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../../schemas/ids.ts';
import { dirtyFiles } from './dirty.ts';
import { createGit, type Git } from './git.ts';
import { canonical, removeWorktree, worktreeDirty } from './removeWorktree.ts';
import { salvage } from './salvage.ts';
import { exists } from './worktreeList.ts';

export interface CleanupLane {
  repoPath: string;
  /** The worktree. */
  path: string;
  /** `WORKSPACE_ROOT/<runId>`. */
  runDir: string;
  laneId: string;
  /** Only with a person's decision on the gate: take a dirty worktree away too, after keeping a copy. */
  force?: boolean;
}

export interface CleanedLane {
  /** Where a copy of the uncommitted work is; null when there was none. */
  salvaged: string | null;
}

const REMOVING = '.removing';

/**
 * Removes a lane's worktree and leaves its branch (plan section 16.2). Throws worktree_dirty without `force`. With it
 * nothing is forced either: the uncommitted work is copied, the directory renamed out of the way and deleted, and git
 * told that it is gone. Each step may be repeated after a crash.
 */
export async function cleanupLane(input: CleanupLane, git: Git = createGit()): Promise<CleanedLane> {
  const path = await canonical(input.path);
  const leftover = `${path}${REMOVING}`;
  await rm(leftover, { recursive: true, force: true });
  const files = (await exists(path)) ? await dirtyFiles(path, git) : [];
  if (files.length === 0) {
    await removeWorktree({ repoPath: input.repoPath, path }, git);
    return { salvaged: null };
  }
  if (!input.force) throw worktreeDirty(path, files);

  const salvaged = await salvage({ worktree: path, runDir: input.runDir, laneId: input.laneId }, git);
  // Renamed first, so that a crash in the middle of deleting cannot be taken for a worktree full of changes.
  await rename(path, leftover);
  // Without its directory, git forgets this one entry; `git worktree prune` would forget the user's missing ones too.
  await git.run(input.repoPath, ['worktree', 'remove', path]);
  await rm(leftover, { recursive: true, force: true });
  return { salvaged };
}

export interface Orphan {
  runId: string;
  path: string;
  /** Names of the directories in it. */
  entries: string[];
}

/** Run directories of a workspace root that belong to no known run. Lists only; nothing is removed. */
export async function listOrphans(workspaceRoot: string, knownRunIds: Iterable<string>): Promise<Orphan[]> {
  const known = new Set(knownRunIds);
  const names = await readdir(workspaceRoot).catch(() => [] as string[]);
  const orphans: Orphan[] = [];
  for (const runId of names.filter((name) => isId(name) && !known.has(name)).sort()) {
    const path = join(workspaceRoot, runId);
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    orphans.push({ runId, path, entries: entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name) });
  }
  return orphans;
}
