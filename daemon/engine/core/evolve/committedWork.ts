import type { CommittedWork } from '../../../../schemas/events/phase.ts';
import type { Phase } from '../run/state.ts';

/**
 * The phase with what its newest attempt has committed. An attempt that changed nothing leaves the commits of earlier
 * ones where they are: on the branch, under decision, and in the report.
 */
export function addCommittedWork(phase: Phase, work: CommittedWork | null): Pick<Phase, 'work' | 'commits'> {
  if (!work) return { work: phase.work, commits: phase.commits };
  const known = work.commit === null || phase.commits.some(({ commit }) => commit === work.commit);
  return { work, commits: known ? phase.commits : [...phase.commits, work] };
}
