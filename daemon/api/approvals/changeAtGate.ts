import type { DiffView } from '../../../schemas/rpc/views/approval.ts';
import type { Approval, Run } from '../../core/run/state.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { diffOfFile, diffSince, type FileDiff } from '../../repository/worktree/diff.ts';

/** Clients read an open gate again and again, and commits never change. */
const MOST_REMEMBERED = 16;
const remembered = new Map<string, DiffView>();

/** The commits under decision. Null if nothing changed or the repository lost them. */
export async function diffAtGate(run: Run, approval: Approval): Promise<DiffView | null> {
  const range = rangeOf(approval);
  if (!range) return null;
  const key = JSON.stringify([run.repoPath, range.from, range.to]);
  const known = remembered.get(key);
  if (known) return known;
  try {
    const { files, patch, truncated } = await diffSince(worktreeOf(run), range);
    const diff = { base: range.from, head: range.to, files, patch, truncated };
    remember(key, diff);
    return diff;
  } catch {
    return null;
  }
}

/** Says that the change of a gate is not shown though there is one; undefined if it is, or if there is none. */
export function unreadChange(approval: Approval, diff: DiffView | null): string | undefined {
  const range = rangeOf(approval);
  if (!range || diff !== null) return undefined;
  const [from, to] = [range.from, range.to].map((commit) => commit.slice(0, 12));
  return `The change ${from}..${to} cannot be read. The repository may have lost its commits.`;
}

function remember(key: string, diff: DiffView): void {
  remembered.set(key, diff);
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/** The change of one file; undefined if the gate shows none of it. */
export async function fileDiffAtGate(run: Run, approval: Approval, path: string): Promise<FileDiff | undefined> {
  const range = rangeOf(approval);
  return range && diffOfFile(worktreeOf(run), { ...range, path }).catch(() => undefined);
}

function rangeOf({ subject }: Approval): { from: string; to: string } | undefined {
  const { from, to = null } = (subject.diff ?? {}) as { from?: string; to?: string | null };
  return from === undefined || to === null ? undefined : { from, to };
}
