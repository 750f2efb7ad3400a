import type { EndOfRun } from '../rpc/views/ends.ts';
import { counted } from '../text/phrases.ts';
import { sizeOf } from './setup.ts';

/** Runs of one call, so that a client can say how far it is. After a kill, the next call goes on with the rest. */
export const ENDS_AT_ONCE = 10;

export const IGNORED_FILES_GO = 'Ignored files in worktrees, such as build results, go with them.';

/** The runs of a plan as `run.cleanupEnded` takes them: a branch that moves after the plan stays. */
export function agreedTo(runs: readonly EndOfRun[]): { runId: string; heads: { branch: string; head: string }[] }[] {
  return runs.map(({ runId, goes }) => {
    const heads = new Map(goes.flatMap(({ branch, head }) => (branch && head ? [[branch, head] as const] : [])));
    return { runId, heads: [...heads].map(([branch, head]) => ({ branch, head })) };
  });
}

/** `3 worktrees and 2 branches of 3 runs, 12.0 MB`. */
export function endsSummary(runs: readonly EndOfRun[]): string {
  const all = runs.flatMap(({ goes }) => goes);
  const worktrees = all.filter(({ what }) => what === 'worktree');
  const kinds = [
    worktrees.length > 0 && counted(worktrees.length, 'worktree'),
    all.length > worktrees.length && counted(all.length - worktrees.length, 'branch', 'branches'),
  ].filter(Boolean);
  const bytes = worktrees.reduce((sum, each) => sum + (each.bytes ?? 0), 0);
  const isWhole = worktrees.every((each) => each.bytes !== null);
  const size = worktrees.length === 0 ? '' : `, ${isWhole ? '' : 'at least '}${sizeOf(bytes)}`;
  return `${kinds.join(' and ')} of ${counted(runs.length, 'run')}${size}`;
}
