import { stepPhase } from '../machines/phase.ts';
import { asksAboutTurns, keepsFailuresLocal } from '../run/behaviour.ts';
import type { Nudge } from '../run/nudge.ts';
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
  const state = phaseStateOf(next, next);
  return state === phase.state ? next : { ...next, state: stepPhase(phase.state, state) };
}

/** Counts one more attempt. Runs of older behaviours count those of the phase. */
export function withNextAttempt(run: Run, phase: Phase, change: (attempt: (of: Assignment) => number) => Phase): Phase {
  if (keepsFailuresLocal(run)) return change(({ attempt }) => attempt + 1);
  const attempts = phase.attempts + 1;
  return { ...change(() => attempts), attempts };
}

/** Prompts the agent again, briefly, as the next attempt. */
export function nudgeAssignment(
  run: Run,
  phase: Phase,
  which: (assignment: Assignment) => boolean,
  { answer, at, reminded }: { answer: string | null; at: string; reminded: boolean },
): Phase {
  return withNextAttempt(run, phase, (attempt) =>
    moveAssignments(phase, which, (assignment) => ({
      status: 'to_prompt',
      attempt: attempt(assignment),
      resend: null,
      ...answered(run, assignment, answer, at),
      reminded,
      prompt: null,
    })),
  );
}

/** Null: nobody answered, and the agent is only reminded. */
export function answered(
  run: Run,
  assignment: Assignment,
  answer: string | null,
  at: string,
): Pick<Assignment, 'answers' | 'nudge'> {
  const bringsAnswer = answer !== null;
  const answers = bringsAnswer ? [...assignment.answers, answer] : assignment.answers;
  return { answers, nudge: nudge(run, assignment, { at, bringsAnswer }) };
}

/** `at`: when it became due. The agent has the whole time of a prompt again. */
function nudge(
  run: Run,
  { prompt }: Assignment,
  { at, bringsAnswer = false }: { at: string; bringsAnswer?: boolean },
): Nudge {
  const timeoutMs = prompt?.timeoutMs ?? run.options.artifactTimeoutMs;
  return { bringsAnswer, dueBy: new Date(Date.parse(at) + timeoutMs).toISOString() };
}

/**
 * Sends a prompt without a result again, as the next attempt. `late`: the time of a deadline that passed; then a reminder is
 * enough where the agent has the whole prompt.
 */
export function resendPrompt(
  run: Run,
  sessionId: string,
  resend: NonNullable<Assignment['resend']>,
  late?: string,
): Run {
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
          nudge: late !== undefined && asksAboutTurns(run) ? nudge(run, assignment, { at: late }) : null,
          prompt: null,
          errors: resend === 'error' ? assignment.errors + 1 : assignment.errors,
        })),
      );
    }),
  };
}
