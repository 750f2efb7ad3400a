import type { EndsCount } from '../../../schemas/rpc/views/ends.ts';
import { OWN_BRANCHES } from '../git/git.ts';
import { exists } from '../git/repositoryFiles.ts';
import { readOwnRefs } from './ownBranches.ts';
import { treeSize } from './treeSize.ts';

/** The worktrees and branches of ended runs, and their size as far as it can be counted in this time. */
export async function countEnds(
  runs: readonly { runId: string; repoPath: string; worktrees: readonly string[] }[],
  limitMs: number,
): Promise<EndsCount> {
  const limit = { signal: AbortSignal.timeout(limitMs) };
  const count = { worktrees: 0, branches: 0, bytes: 0, atLeast: false };
  const there: string[] = [];
  for (const { worktrees } of runs) for (const path of worktrees) if (await exists(path)) there.push(path);
  count.worktrees = there.length;

  const own = new Set(runs.map(({ runId }) => runId));
  for (const repoPath of new Set(runs.map((run) => run.repoPath))) {
    const refs = limit.signal.aborted ? undefined : await readOwnRefs(repoPath).catch(() => undefined);
    const names = [...(refs?.branches.keys() ?? [])];
    count.branches += names.filter((name) => own.has(name.slice(OWN_BRANCHES.length + 1).split('/')[0] ?? '')).length;
  }
  for (const path of there) {
    if (limit.signal.aborted) break;
    const { bytes, atLeast } = await treeSize(path, limit);
    count.bytes += bytes;
    count.atLeast ||= atLeast;
  }
  return { ...count, atLeast: count.atLeast || limit.signal.aborted };
}
