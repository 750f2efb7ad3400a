import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import { patchAssignments } from './patch.ts';
import { isAtWork, sessionOf } from './query.ts';
import type { Assignment, Phase, Run, Session } from './state.ts';

/** True for a phase whose agents a person leads: their prompts are messages, and no file ends their work. */
export function isLedPhase({ kind }: Pick<Phase, 'kind'>): boolean {
  return KIND_DEFINITIONS[kind].isLed === true;
}

/** The phase in which a person leads the agent, also after it. Undefined once a later phase has the agent. */
export function ledPhaseOf({ phases }: Pick<Run, 'phases'>, sessionId: string): Phase | undefined {
  const newest = phases.findLast(({ assignments }) => assignments.some((each) => each.sessionId === sessionId));
  return newest && isLedPhase(newest) ? newest : undefined;
}

/** True while an agent that a person leads works, by the log. */
export function isInTurn(session: Session): boolean {
  return isAtWork(session) && session.stall?.cause !== 'turn_over';
}

/** Changes the assignment of an agent that a person leads. */
export function patchLed(run: Run, sessionId: string, change: (assignment: Assignment) => Partial<Assignment>): Run {
  const led = ledPhaseOf(run, sessionId);
  if (!led) return run;
  const assignments = patchAssignments(led, (each) => each.sessionId === sessionId, change);
  return { ...run, phases: run.phases.map((phase) => (phase === led ? { ...phase, assignments } : phase)) };
}

/**
 * devflow writes to the agent once it can work again, if its turn was broken off. `before`: the run as it was. No attempt
 * is counted: the conversation has what the person wants.
 */
export function resumeLed(run: Run, before: Run, sessionId: string, resend: NonNullable<Assignment['resend']>): Run {
  const session = sessionOf(before, sessionId);
  if (!session || !isInTurn(session)) return run;
  return patchLed(run, sessionId, ({ errors }) => ({ resend, errors: resend === 'error' ? errors + 1 : errors }));
}
