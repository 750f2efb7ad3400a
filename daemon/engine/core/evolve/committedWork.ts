import type { CommittedWork } from '../../../../schemas/events/phase.ts';
import type { Phase } from '../run/state.ts';

/**
 * Adds the commit of the newest attempt. An attempt without changes keeps the earlier commits: they stay on the branch, at
 * the gate and in the report.
 */
export function addCommittedWork(phase: Phase, work: CommittedWork | null): Pick<Phase, 'work' | 'commits'> {
  if (!work) return { work: phase.work, commits: phase.commits };
  const known = work.commit === null || phase.commits.some(({ commit }) => commit === work.commit);
  return { work, commits: known ? phase.commits : [...phase.commits, work] };
}
