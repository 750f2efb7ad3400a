import { CATALOGUE, type ErrorCode } from '../../../../schemas/errors.ts';
import type { NewEvent } from '../../../../schemas/events/index.ts';
import { approvalKey } from '../run/keys.ts';
import type { Phase, Run, Session } from '../run/state.ts';
import type { WorktreeState } from '../run/worktreeState.ts';
import { requestApproval } from './requestApproval.ts';

/**
 * devflow cannot continue alone: the attempt fails, the run pauses, and a recovery gate says what a
 * person must decide. `approve` tries again, `request_changes` tries again with the comment, `reject` fails the run.
 */
export function escalate(
  run: Run,
  phase: Phase,
  /** `session`: it fails with the attempt. `sessionId` alone: the session where a person must act. */
  failure: {
    code: ErrorCode;
    reason: string;
    hint?: string;
    session?: Session;
    sessionId?: string;
    worktree?: WorktreeState;
  },
): NewEvent[] {
  const { code, reason, session, sessionId = session?.id, worktree } = failure;
  const hint = failure.hint ?? CATALOGUE[code].hint;
  const gateKey = 'recovery';
  const key = approvalKey(run, phase, gateKey, null, worktree);
  const events: NewEvent[] = [];
  if (session && !session.failedBefore) {
    const payload = { sessionId: session.id, code, reason: session.failure?.reason ?? reason, recoveryHint: hint };
    events.push({ type: 'session.failed', phaseId: phase.id, payload });
  }
  events.push(
    {
      type: 'phase.failed',
      phaseId: phase.id,
      payload: { attempt: phase.attempts, code, reason, sessionIds: session ? [session.id] : [] },
    },
    {
      type: 'run.paused',
      phaseId: phase.id,
      payload: { cause: `${code}:${phase.id}:${phase.attempts}`, pausedFrom: run.state, reason },
    },
    requestApproval(phase.id, {
      approvalKey: key,
      gateKey,
      kind: 'recovery',
      phaseKey: phase.key,
      attempt: phase.attempts,
      artifactHash: null,
      subject: {
        code,
        reason,
        recoveryHint: hint,
        ...(sessionId ? { sessionId } : {}),
        ...(worktree ? { worktree, diff: { from: run.baseCommit, to: worktree.head } } : {}),
      },
      timeoutMs: null,
    }),
  );
  return events;
}
