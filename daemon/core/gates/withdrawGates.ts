import { gateFacts } from '../../../schemas/gates/gateKinds.ts';
import { closeApprovals } from '../run/patch.ts';
import { openGates } from '../run/query.ts';
import type { Approval, Run } from '../run/state.ts';

/** Closes the gates at which nothing waits any more, because their phase, or one before it, has begun again. */
export function withdrawGates(run: Run, ts: string): Run {
  const open = openGates(run).filter((gate) => !gateFacts(gate).closesItself);
  return open.every((gate) => isAsked(run, gate))
    ? run
    : closeApprovals(run, (gate) => open.includes(gate) && !isAsked(run, gate), ts);
}

function isAsked(run: Run, { phaseId, assignment: key, laneId, attempt }: Approval): boolean {
  const phase = run.phases.find(({ id }) => id === phaseId);
  if (!phase || phase.state === 'pending') return false;
  if (laneId !== null) return true;
  if (key === null) return attempt === phase.attempts;
  return phase.assignments.some((each) => each.key === key && each.status === 'failed' && each.attempt === attempt);
}
