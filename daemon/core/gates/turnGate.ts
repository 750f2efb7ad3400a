import { isTerminal } from '../../../schemas/enums.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { TURN_GATE } from '../../../schemas/gates/ownGates.ts';
import { hash } from '../../../schemas/hash.ts';
import { agentName } from '../../../schemas/mainLane.ts';
import { asksAboutTurns } from '../run/behaviour.ts';
import { approvalKey } from '../run/keys.ts';
import { closeApprovals } from '../run/patch.ts';
import { currentPhase, isStalled, type StalledSession, sessionOf } from '../run/query.ts';
import type { Approval, Assignment, Phase, Run, Session } from '../run/state.ts';
import { requestApproval } from './requestApproval.ts';

/**
 * Opens a gate for each agent whose turn ended without its artifact. The assignment goes on beside it: devflow still waits
 * for the file. The gate closes when a new turn begins or the file comes.
 */
export function requestTurnGates(run: Run, phase: Phase): NewEvent[] {
  if (!asksAboutTurns(run)) return [];
  return phase.assignments.flatMap((assignment) => {
    const session = sessionOf(run, assignment.sessionId);
    if (assignment.status !== 'prompted' || !endedTurn(session)) return [];
    // Once somebody said to wait, the same end of a turn is not asked about again.
    return gateOf(run, session) ? [] : [request(run, phase, assignment, session)];
  });
}

export function endedTurn(session: Session | undefined): session is StalledSession {
  return isStalled(session) && session.stall.cause === 'idle';
}

/** True if a person wants to wait for the agent whose turn ended. */
export function isWaitedFor(run: Run, session: Session): boolean {
  return gateOf(run, session)?.state === 'approved';
}

/** The gate about the session's present stall. */
function gateOf({ approvals }: Run, session: Session): Approval | undefined {
  return approvals.find((approval) => approval.kind === 'turn' && isAbout(approval, session));
}

function isAbout({ subject }: Approval, { id, stalls }: Session): boolean {
  return subject.sessionId === id && subject.nth === stalls;
}

function request(run: Run, phase: Phase, assignment: Assignment, session: StalledSession): NewEvent {
  const { id: sessionId, stalls: nth, stall, backend } = session;
  const { path = '' } = assignment.prompt ?? {};
  const reason = `${agentName(session)} (${backend}) ended its turn without its file`;
  return requestApproval(phase.id, {
    approvalKey: hash({ gate: approvalKey(run, phase, TURN_GATE, null, { assignment }), sessionId, nth }),
    gateKey: TURN_GATE,
    kind: 'turn',
    phaseKey: phase.key,
    assignment: assignment.key,
    attempt: assignment.attempt,
    artifactHash: null,
    subject: { sessionId, nth, path, reason, words: stall.detail },
    timeoutMs: null,
  });
}

/** Closes the gates of agents that work again, or whose artifact is not awaited any more. */
export function closeTurnGates(run: Run, ts: string): Run {
  const isLeft = (approval: Approval) =>
    approval.kind === 'turn' && approval.state === 'pending' && !isAsked(run, approval);
  return run.approvals.some(isLeft) ? closeApprovals(run, isLeft, ts) : run;
}

function isAsked(run: Run, approval: Approval): boolean {
  const phase = currentPhase(run);
  if (isTerminal(run.state) || phase?.id !== approval.phaseId || phase.state === 'failed') return false;
  const assignment = phase.assignments.find(({ key }) => key === approval.assignment);
  const session = sessionOf(run, assignment?.sessionId ?? '');
  return assignment?.status === 'prompted' && endedTurn(session) && isAbout(approval, session);
}
