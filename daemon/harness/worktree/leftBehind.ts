import { changedCopies, type InputCopy } from '../artifact/inputCopies.ts';
import { type JudgedArtifact, readJudged } from '../artifact/storedArtifact.ts';
import { branchCommits } from '../git/branchCommits.ts';
import { dirtyFiles } from '../git/dirty.ts';
import { exists } from '../git/repositoryFiles.ts';
import { branchesWithWork, type Work } from '../git/takenOver.ts';
import type { LanePlace } from '../lane/lane.ts';

export interface LeftBehind {
  /** Parsed artifacts by id. */
  contents: Record<string, unknown>;
  /** Files of the worktree that are changed and not committed. */
  dirtyFiles: number;
  /** Artifact files of the worktree that somebody changed after validation. */
  changedArtifacts: string[];
  /** All commits of the branch since the base, oldest first; empty if git cannot read them. */
  branchCommits: string[];
  hasWorktree: boolean;
  /** The person's branches that have the work; absent if git cannot tell. */
  takenOver?: string[];
}

/**
 * What a report tells of artifacts and worktree beyond the log: one `git status`, the commits of the branch and the stored copies. What cannot be
 * read is left out, for a report without it is better than none.
 */
export async function readLeftBehind(
  artifacts: readonly (JudgedArtifact & { id: string; valid: boolean })[],
  lane: Work,
  inputs: readonly InputCopy[] = [],
): Promise<LeftBehind> {
  const stored = artifacts.filter(({ valid, storedPath }) => valid && storedPath);
  const copies = [...stored.map((artifact) => ({ path: artifact.path, artifact })), ...inputs];
  const changed = changedCopies(lane.path, copies);
  const [files, commits, takenOver, hasWorktree, parsed] = await Promise.all([
    countDirty(lane),
    branchCommits(lane, lane.baseCommit).catch(() => []),
    branchesWithWork(lane).catch(() => undefined),
    exists(lane.path),
    Promise.all(stored.map(async (artifact) => [artifact.id, await readJson(artifact, lane.path)] as const)),
  ]);
  return {
    contents: Object.fromEntries(parsed),
    dirtyFiles: files ?? 0,
    changedArtifacts: [...new Set(changed)],
    branchCommits: commits,
    hasWorktree,
    ...(takenOver && { takenOver }),
  };
}

/** Undefined where there is no worktree to look at. */
export async function countDirty(lane: LanePlace): Promise<number | undefined> {
  if (!(await exists(lane.path))) return undefined;
  return dirtyFiles(lane).then(
    (files) => files.length,
    () => undefined,
  );
}

async function readJson(artifact: JudgedArtifact, worktree: string): Promise<unknown> {
  try {
    return JSON.parse((await readJudged(artifact, worktree))?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
