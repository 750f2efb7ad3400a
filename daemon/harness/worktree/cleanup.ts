import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../../../schemas/ids.ts';
import { createGit, type Git } from '../git/git.ts';
import type { LanePlace } from '../lane/lane.ts';
import { removeWorktree } from './removeWorktree.ts';
import { salvage } from './salvage.ts';

export interface CleanupLane extends LanePlace {
  /** `WORKSPACE_ROOT/<runId>`. */
  runDir: string;
  laneId: string;
  /** Only with a person's decision on the gate: take a dirty worktree away too, after keeping a copy. */
  force?: boolean;
}

export interface CleanedLane {
  /** Where a copy of the uncommitted work is; null when there was none. */
  salvaged: string | null;
  /** Refs to commits that no branch has; absent if there are none. */
  keptRefs?: string[];
}

/**
 * Removes a lane's worktree and leaves its branch. Throws worktree_dirty without `force`. With it
 * nothing is forced either: the uncommitted work is copied first.
 */
export async function cleanupLane(input: CleanupLane, git: Git = createGit()): Promise<CleanedLane> {
  const keep = input.force ? () => salvage(input, git) : undefined;
  const { saved, keptRefs } = await removeWorktree(input, git, keep);
  return { salvaged: saved, ...(keptRefs.length === 0 ? {} : { keptRefs }) };
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
