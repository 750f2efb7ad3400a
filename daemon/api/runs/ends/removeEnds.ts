import { DevflowError } from '../../../../schemas/errors.ts';
import type { ParsedParams, RpcResult } from '../../../../schemas/rpc/methods/index.ts';
import type { Run } from '../../../core/run/state.ts';
import { deleteBranch } from '../../../repository/ends/deleteBranch.ts';
import type { OwnRefs } from '../../../repository/ends/ownBranches.ts';
import type { Reason } from '../../../repository/ends/whyKept.ts';
import { type Finding, failed, type Looked } from './lookAtRun.ts';

/** Removes the worktrees of a run, and records what git does. */
export interface RemoveParts {
  cleanUp(run: Run, options: Omit<ParsedParams<'run.cleanup'>, 'runId'>): Promise<RpcResult<'run.cleanup'>>;
  recording<T>(runId: string, laneId: string, work: () => Promise<T>): Promise<T>;
}

/** Removes what may go, worktrees first. Each step can be repeated after a kill. Says what went and what stays. */
export async function removeEnds(
  run: Run,
  refs: OwnRefs,
  findings: readonly Finding[],
  parts: RemoveParts,
): Promise<Looked> {
  const { findings: cleaned, keptRefs } = await removeWorktrees(run, findings, parts);
  const done: Finding[] = [];
  for (const finding of cleaned) {
    const { laneId, item, stays } = finding;
    if (stays || item.what === 'worktree' || item.branch === null || item.head === null) {
      done.push(finding);
      continue;
    }
    const { branch, head } = item;
    const own = cleaned.find((other) => other.item.what === 'worktree' && other.laneId === laneId);
    if (own?.stays) {
      done.push({ ...finding, stays: { why: 'worktree_stays', reason: 'its worktree stays' } });
      continue;
    }
    const deleting = parts.recording(run.id, laneId ?? '', () => deleteBranch(refs.common, branch, head));
    const why = await deleting.then((isDeleted) => (isDeleted ? undefined : CHANGED), failed);
    done.push({ ...finding, stays: why });
  }
  return { findings: done, keptRefs };
}

const CHANGED: Reason = { why: 'moved', reason: 'it, or the branch that has its commits, changed meanwhile' };

async function removeWorktrees(run: Run, findings: readonly Finding[], { cleanUp }: RemoveParts): Promise<Looked> {
  const worktrees = findings.filter(({ item }) => item.what === 'worktree');
  if (worktrees.every(({ stays }) => stays)) return { findings, keptRefs: [] };
  const kept = new Map<string, string>();
  const keptRefs: string[] = [];
  const clean = async (lane?: string) => {
    const result = await cleanUp(run, { force: false, ...(lane === undefined ? {} : { lane }) });
    for (const { path, reason } of result.kept) kept.set(path, reason);
    keptRefs.push(...(result.keptRefs ?? []));
  };
  if (worktrees.every(({ stays }) => !stays)) await clean().catch((error) => keepAll(worktrees, error, kept));
  else {
    for (const each of worktrees) {
      // What devflow's own checks left goes with the last lane.
      if (each.stays || each.laneId === null) continue;
      await clean(each.laneId).catch((error) => keepAll([each], error, kept));
    }
  }
  const ownStay = worktrees.some(({ stays }) => stays);
  const removed = findings.map((finding): Finding => {
    const { item, laneId, stays } = finding;
    if (stays || item.path === null) return finding;
    if (ownStay && laneId === null)
      return { ...finding, stays: { why: 'worktree_stays', reason: 'another worktree of the run stays' } };
    const reason = kept.get(item.path);
    return reason === undefined ? finding : { ...finding, stays: { why: 'failed', reason } };
  });
  return { findings: removed, keptRefs };
}

function keepAll(findings: readonly Finding[], error: unknown, kept: Map<string, string>): void {
  if (!(error instanceof DevflowError)) throw error;
  for (const { item } of findings) if (item.path !== null) kept.set(item.path, error.message);
}
