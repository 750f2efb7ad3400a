import { isTerminal } from '../../../schemas/enums.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { GATE_FACTS } from '../../../schemas/gates/gateKinds.ts';
import { hash } from '../../../schemas/hash.ts';
import { isAnsweredInPane, stallSentence } from '../../../schemas/states/stall.ts';
import { keepsFailuresLocal } from '../run/behaviour.ts';
import { approvalKey } from '../run/keys.ts';
import { closeApprovals } from '../run/patch.ts';
import { currentPhase, isDue, isStalled, type StalledSession, sessionOf, sessionsAtWork } from '../run/query.ts';
import type { Approval, Phase, Run } from '../run/state.ts';
import { requestApproval } from './requestApproval.ts';

const { gateKey: GATE_KEY } = GATE_FACTS.agent;

/**
 * Opens a gate for each working agent that needs an answer in its pane. It does not block the run: devflow types no answers,
 * and the gate closes once a person answers in the pane. The only decision here is to end the run.
 */
export function requestAgentGates(run: Run, phase: Phase): NewEvent[] {
  return sessionsAtWork(run, phase)
    .filter(isStalled)
    .filter(asksHere)
    .filter((session) => !run.approvals.some((approval) => isOpen(approval) && isAbout(approval, session)))
    .map((session) => request(run, phase, session));
}

/**
 * An agent that has never had a prompt, or is not ready, asks for a log-in here. For any other the next prompt fails and
 * opens a recovery gate. Readiness alone does not tell: Codex counts as ready for a moment before it draws its log-in.
 */
function asksHere({ stall, state, lastPromptAt }: StalledSession): boolean {
  const isReady = state === 'READY' || state === 'BUSY' || state === 'WAITING_FOR_APPROVAL';
  return isAnsweredInPane(stall.cause) || (stall.cause === 'login' && (!isReady || lastPromptAt === null));
}

function request(run: Run, phase: Phase, session: StalledSession): NewEvent {
  const { id: sessionId, stalls: nth, stall } = session;
  const asking = phase.assignments.find((assignment) => assignment.sessionId === sessionId && isDue(assignment));
  const assignment = keepsFailuresLocal(run) ? asking : undefined;
  const key = hash({ gate: approvalKey(run, phase, GATE_KEY, null, { assignment }), sessionId, nth });
  const { cause, detail } = stall;
  return requestApproval(phase.id, {
    approvalKey: key,
    gateKey: GATE_KEY,
    kind: 'agent',
    phaseKey: phase.key,
    attempt: phase.attempts,
    artifactHash: null,
    subject: { sessionId, cause, detail, reason: stallSentence(session) },
    timeoutMs: null,
  });
}

/** Closes the gates of agents that no longer ask, ask something else, or have no work. */
export function closeAnsweredGates(run: Run, ts: string): Run {
  if (!run.approvals.some(isOpen)) return run;
  return closeApprovals(run, (approval) => isOpen(approval) && !isAsked(run, approval), ts);
}

function isOpen({ kind, state }: Approval): boolean {
  return kind === 'agent' && state === 'pending';
}

function isAsked(run: Run, approval: Approval): boolean {
  const phase = currentPhase(run);
  if (isTerminal(run.state) || phase?.id !== approval.phaseId || phase.state === 'failed') return false;
  const session = sessionOf(run, String(approval.subject.sessionId));
  return isStalled(session) && sessionsAtWork(run, phase).includes(session) && isAbout(approval, session);
}

function isAbout({ subject }: Approval, { id, stall }: StalledSession): boolean {
  return subject.sessionId === id && subject.cause === stall.cause && subject.detail === stall.detail;
}
