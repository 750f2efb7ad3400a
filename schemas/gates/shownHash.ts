import { hash } from '../hash.ts';
import type { WorktreeState } from '../worktreeState.ts';

/** The identity of what a gate shows: its artifacts, its change and its worktree. The id of a gate of a lane does not bind them. */
export function shownHash({
  artifactHash,
  subject,
}: {
  artifactHash: string | null;
  subject: Readonly<Record<string, unknown>>;
}): string {
  const { head, tree, uncommitted } = (subject.worktree ?? {}) as Partial<WorktreeState>;
  const { from, to } = (subject.diff ?? {}) as { from?: string; to?: string | null };
  return hash({
    artifactHash,
    diff: [from ?? null, to ?? null],
    worktree: [head ?? null, tree ?? null, uncommitted ?? null],
  });
}
