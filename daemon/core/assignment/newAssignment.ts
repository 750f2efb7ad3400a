import { keepsFailuresLocal } from '../run/behaviour.ts';
import { sessionId } from '../run/keys.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';

/** Why a phase begins, and what a person asked for. */
export interface Attempt {
  nth: number;
  cause: 'first' | 'changes_requested' | 'retry';
  changeRequest: string | null;
}

/** An assignment at the beginning of an attempt of its phase. A retry keeps valid work, unless something new is asked for. */
export function newAssignment(
  run: Run,
  phase: Phase,
  { key, roleId, laneId, comments = [] }: Pick<Assignment, 'key' | 'roleId' | 'laneId'> & { comments?: string[] },
  { nth, cause }: Attempt,
): Assignment {
  const before = phase.assignments.find((assignment) => assignment.key === key);
  if (keepsFailuresLocal(run) && cause === 'retry' && before?.status === 'validated') return before;
  return {
    key,
    roleId,
    laneId,
    sessionId: sessionId(run.id, roleId, laneId),
    attempt: keepsFailuresLocal(run) ? (before?.attempt ?? 0) + 1 : nth,
    status: 'to_prompt',
    changeRequest: null,
    because: null,
    onto: null,
    comments,
    work: null,
    repairsUsed: 0,
    errors: 0,
    answers: [],
    nudge: null,
    reminded: false,
    askedIn: null,
    settled: null,
    repair: null,
    resend: null,
    prompt: null,
    artifact: null,
  };
}
