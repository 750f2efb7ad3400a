import { MAIN } from '../../../schemas/mainLane.ts';
import type { CommandRun } from '../run/commandRun.ts';
import type { Approval, Run } from '../run/state.ts';
import { boundWorktree } from '../run/worktreeState.ts';

/** The commit under decision at a gate. */
export function shownCommit(run: Run, { subject }: Pick<Approval, 'subject'>): string {
  const { to = null } = (subject.diff ?? {}) as { to?: string | null };
  return boundWorktree(subject)?.head ?? to ?? run.reviewHead ?? run.baseCommit;
}

/** The commit that a command ran on, as far as the log knows. Undefined for one in a lane: no gate of the run shows that. */
export function commitOfCommand(run: Run, { phaseId, attempt, laneId }: CommandRun): string | undefined {
  if (laneId !== MAIN) return undefined;
  const measured = run.evaluations.find((each) => each.phaseId === phaseId && each.attempt === attempt);
  return measured?.commit ?? newestCommit(run, phaseId);
}

/** The newest commit that phases made up to the end of this one, or that a person approved before one of them began. */
function newestCommit(run: Run, phaseId: string): string {
  const end = run.phases.findIndex(({ id }) => id === phaseId) + 1;
  const last = run.phases.slice(0, end).findLast(({ work, from }) => work?.commit || from);
  return last?.work?.commit ?? last?.from?.head ?? run.reviewHead ?? run.baseCommit;
}
