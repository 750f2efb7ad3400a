import { stepPhase } from '../machines/phase.ts';
import { patchAssignments } from '../run/patch.ts';
import { phaseStateOf } from '../run/query.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';

/** Changes the assignments that `which` picks, and moves the phase to the state that follows from them. */
export function moveAssignments(
  phase: Phase,
  which: (assignment: Assignment) => boolean,
  change: (assignment: Assignment) => Partial<Assignment>,
): Phase {
  const assignments = patchAssignments(phase, which, change);
  const state = phaseStateOf(assignments);
  return { ...phase, assignments, state: state === phase.state ? state : stepPhase(phase.state, state) };
}

/** Sends a prompt without a result again, as the next attempt of the phase. */
export function resendPrompt(run: Run, sessionId: string, resend: NonNullable<Assignment['resend']>): Run {
  const isLost = (assignment: Assignment) => assignment.sessionId === sessionId && assignment.status === 'prompted';
  return {
    ...run,
    phases: run.phases.map((phase) => {
      if (!phase.assignments.some(isLost) || (phase.state !== 'awaiting_artifact' && phase.state !== 'running'))
        return phase;
      const attempt = phase.attempts + 1;
      const next = moveAssignments(phase, isLost, ({ errors }) => ({
        status: 'to_prompt',
        attempt,
        resend,
        prompt: null,
        errors: resend === 'error' ? errors + 1 : errors,
      }));
      return { ...next, attempts: attempt };
    }),
  };
}
