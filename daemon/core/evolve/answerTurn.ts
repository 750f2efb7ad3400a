import { moveAssignments, nudgeAssignment } from '../assignment/moveAssignments.ts';
import { patchPhase, patchSession } from '../run/patch.ts';
import type { Approval, Assignment, Run } from '../run/state.ts';

/** A person answers for an agent whose turn ended: wait, or bring it a message or a reminder. */
export function answerTurn(
  run: Run,
  { phaseId, assignment, subject }: Approval,
  { action, comment, ts }: { action: 'approve' | 'request_changes'; comment: string | null; ts: string },
): Run {
  const isIt = ({ key }: Assignment) => key === assignment;
  if (action === 'approve') {
    // The deadline begins again.
    return patchPhase(run, phaseId, (phase) =>
      moveAssignments(phase, isIt, ({ prompt }) => ({ reminded: false, prompt: prompt && { ...prompt, since: ts } })),
    );
  }
  const awake = patchSession(run, String(subject.sessionId), () => ({ stall: null }));
  return patchPhase(awake, phaseId, (phase) =>
    nudgeAssignment(run, phase, isIt, { answer: comment, at: ts, reminded: comment === null }),
  );
}
