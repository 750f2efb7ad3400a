import type { CommittedWork } from '../../../schemas/events/phase.ts';
import { patchPhase } from './patch.ts';
import type { Run } from './state.ts';

/**
 * Adds the commit of the newest attempt. An attempt without changes keeps the earlier commits: they stay on the branch, at
 * the gate and in the report.
 */
export function addCommittedWork(run: Run, phaseId: string | null, work: CommittedWork | null): Run {
  if (!work) return run;
  const { commit } = work;
  const isKnown = run.phases.some(
    ({ id, commits }) => id === phaseId && commits.some((each) => each.commit === commit),
  );
  const isNew = commit !== null && !isKnown;
  const next = patchPhase(run, phaseId, ({ commits }) => ({ work, commits: isNew ? [...commits, work] : commits }));
  return isNew ? { ...next, lastCommit: commit } : next;
}
