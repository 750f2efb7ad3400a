import { stepPhase } from '../machines/phase.ts';
import { keepsFailuresLocal } from '../run/behaviour.ts';
import { patchAssignments } from '../run/patch.ts';
import { phaseStateOf } from '../run/query.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';

/** Changes the assignments that `which` picks, and moves the phase to the state that follows from them. */
export function moveAssignments(
  phase: Phase,
  which: (assignment: Assignment) => boolean,
  change: (assignment: Assignment) => Partial<Assignment>,
): Phase {
  const next = { ...phase, assignments: patchAssignments(phase, which, change) };
  const state = phaseStateOf(next);
  return state === phase.state ? next : { ...next, state: stepPhase(phase.state, state) };
}

/** Counts one more attempt. Runs of older behaviours count those of the phase. */
export function withNextAttempt(run: Run, phase: Phase, change: (attempt: (of: Assignment) => number) => Phase): Phase {
  if (keepsFailuresLocal(run)) return change(({ attempt }) => attempt + 1);
  const attempts = phase.attempts + 1;
  return { ...change(() => attempts), attempts };
}

/** Sends a prompt without a result again, as the next attempt. */
export function resendPrompt(run: Run, sessionId: string, resend: NonNullable<Assignment['resend']>): Run {
  const isLost = (assignment: Assignment) => assignment.sessionId === sessionId && assignment.status === 'prompted';
  return {
    ...run,
    phases: run.phases.map((phase) => {
      if (!phase.assignments.some(isLost) || (phase.state !== 'awaiting_artifact' && phase.state !== 'running'))
        return phase;
      return withNextAttempt(run, phase, (attempt) =>
        moveAssignments(phase, isLost, (assignment) => ({
          status: 'to_prompt',
          attempt: attempt(assignment),
          resend,
          prompt: null,
          errors: resend === 'error' ? assignment.errors + 1 : assignment.errors,
        })),
      );
    }),
  };
}
