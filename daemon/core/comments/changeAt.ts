import { lastCommit } from '../run/query.ts';
import type { Approval, Run } from '../run/state.ts';

/** The commits whose difference a gate shows. Without a change, both are the same. */
export function changeAt(run: Run, { subject }: Pick<Approval, 'subject'>): { from: string; to: string } {
  const { from = run.baseCommit, to = lastCommit(run) } = (subject.diff ?? {}) as { from?: string; to?: string | null };
  return { from, to: to ?? from };
}
