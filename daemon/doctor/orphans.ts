import { listOrphans } from '../harness/worktree/cleanup.ts';
import type { CheckResult } from './check.ts';

/** One `warn` for each run directory without a run, with its path as detail. Lists only; nothing is ever removed. */
export async function orphanResults(workspaceRoot: string, knownRunIds: Iterable<string>): Promise<CheckResult[]> {
  const orphans = await listOrphans(workspaceRoot, knownRunIds);
  return orphans.map(({ runId, path, entries }) => ({
    name: `orphan ${runId}`,
    status: 'warn',
    detail: path,
    remediation: `No run of this database has it (it holds: ${entries.join(', ') || 'nothing'}). Look at it, and remove it yourself.`,
  }));
}
