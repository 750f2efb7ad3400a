import { defined } from '../../../schemas/defined.ts';
import { CATALOGUE, type ErrorCode } from '../../../schemas/errors.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { GATE_FACTS } from '../../../schemas/gates/gateKinds.ts';
import type { OwnGate } from '../../../schemas/gates/ownGates.ts';
import { keepsFailuresLocal } from '../run/behaviour.ts';
import { approvalKey } from '../run/keys.ts';
import type { Assignment, Phase, Run, Session } from '../run/state.ts';
import type { WorktreeState } from '../run/worktreeState.ts';
import { requestApproval } from './requestApproval.ts';

/** Why a person is needed, and where. */
export interface Failure {
  code: ErrorCode;
  reason: string;
  hint?: string;
  /** The session that fails with it. */
  session?: Session;
  /** The session in whose pane a person must act. */
  sessionId?: string;
  /** The state of the worktree that differs from what was approved. */
  worktree?: WorktreeState;
  /** The gate, if it is not the usual one, and what it shows beside the failure. */
  gateKey?: OwnGate;
  /** Distinguishes gates of one attempt. */
  nth?: number;
  subject?: Record<string, unknown>;
}

/** The thing that fails. Without an assignment or a lane it is the attempt of the phase. */
export interface Scope {
  assignment?: Assignment;
  laneId?: string;
}

/**
 * devflow cannot continue alone: a recovery gate says what a person must decide. `approve` tries again, `request_changes`
 * tries again with the comment, `reject` fails the run. Everything outside of the scope continues.
 */
export function escalate(run: Run, phase: Phase, failure: Failure, { assignment, laneId }: Scope = {}): NewEvent[] {
  const {
    code,
    reason,
    session,
    sessionId = session?.id,
    worktree,
    gateKey = GATE_FACTS.recovery.gateKey,
    nth,
  } = failure;
  const hint = failure.hint ?? CATALOGUE[code].hint;
  const gate = requestApproval(phase.id, {
    approvalKey: approvalKey(run, phase, gateKey, null, { worktree, assignment, laneId, nth }),
    gateKey,
    kind: 'recovery',
    phaseKey: phase.key,
    ...defined({ assignment: assignment?.key, laneId }),
    attempt: assignment?.attempt ?? phase.attempts,
    artifactHash: null,
    subject: {
      code,
      reason,
      recoveryHint: hint,
      ...defined({ sessionId, sessionFailed: assignment && session ? true : undefined }),
      ...failure.subject,
      ...(worktree ? { worktree, diff: { from: run.baseCommit, to: worktree.head } } : {}),
    },
    timeoutMs: null,
  });
  const lost = session && !session.failedBefore ? [sessionFailed(phase, session, { code, reason, hint })] : [];
  return assignment || laneId ? [...lost, gate] : [...lost, ...phaseFails(run, phase, failure), gate];
}

function sessionFailed(
  phase: Phase,
  { id: sessionId, failure }: Session,
  { code, reason, hint }: Pick<Failure, 'code' | 'reason'> & { hint: string },
): NewEvent {
  const payload = { sessionId, code, reason: failure?.reason ?? reason, recoveryHint: hint };
  return { type: 'session.failed', phaseId: phase.id, payload };
}

function phaseFails(run: Run, phase: Phase, { code, reason, session }: Failure): NewEvent[] {
  const { id: phaseId, attempts: attempt } = phase;
  const failed: NewEvent = {
    type: 'phase.failed',
    phaseId,
    payload: { attempt, code, reason, sessionIds: session ? [session.id] : [] },
  };
  if (keepsFailuresLocal(run)) return [failed];
  const payload = { cause: `${code}:${phaseId}:${attempt}`, pausedFrom: run.state, reason };
  return [failed, { type: 'run.paused', phaseId, payload }];
}
