import { defined } from '../../../schemas/defined.ts';
import type { GateKind } from '../../../schemas/enums.ts';
import type { ErrorCode } from '../../../schemas/errors.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import { gateFacts, holdsFailure } from '../../../schemas/gates/gateKinds.ts';
import { SETUP_GATE, UNCERTAIN_GATE } from '../../../schemas/gates/ownGates.ts';
import { answered, moveAssignments } from '../assignment/moveAssignments.ts';
import { withComments } from '../comments/phaseAsked.ts';
import { restorePublished } from '../exchange/drift.ts';
import { decided } from '../machines/approval.ts';
import { stepPhase } from '../machines/phase.ts';
import { stepRun } from '../machines/run.ts';
import { keepsFailuresLocal } from '../run/behaviour.ts';
import { passesGate } from '../run/boundary.ts';
import { addCommittedWork } from '../run/committedWork.ts';
import { isLedPhase } from '../run/led.ts';
import { closeApprovals, patchApproval, patchPhase, patchSession } from '../run/patch.ts';
import { producerOf } from '../run/producer.ts';
import { countDoubts, sessionOf } from '../run/query.ts';
import { failSession, resetRecoveryBudget } from '../run/sessionBudget.ts';
import type { Approval, Assignment, Phase, Run } from '../run/state.ts';
import { boundWorktree } from '../run/worktreeState.ts';
import { answerTurn } from './answerTurn.ts';
import { setUpAgain } from './evolveSetup.ts';

type Requested = Extract<RunEvent, { type: 'approval.requested' }>;
type Resolved = Extract<RunEvent, { type: 'approval.resolved' }>;
type RuleChecked = Extract<RunEvent, { type: 'approval.rule_checked' }>;
type Withdrawn = Extract<RunEvent, { type: 'approval.withdrawn' }>;

/** Gates: asked and answered. Other events record how the answer changes the run. */
export function evolveApproval(run: Run, event: Requested | Resolved | RuleChecked | Withdrawn): Run {
  if (event.type === 'approval.rule_checked') {
    const { approvalRequestId, why } = event.payload;
    return patchApproval(run, approvalRequestId, () => ({ rule: { why } }));
  }
  if (event.type === 'approval.withdrawn')
    return closeApprovals(run, ({ id }) => id === event.payload.approvalRequestId, event.ts);
  return event.type === 'approval.requested' ? requested(run, event) : resolved(run, event);
}

function requested(run: Run, { payload, phaseId, ts }: Requested): Run {
  const { approvalRequestId, approvalKey, ...facts } = payload;
  const approval: Approval = {
    assignment: null,
    laneId: null,
    ...facts,
    id: approvalRequestId,
    key: approvalKey,
    phaseId: phaseId ?? '',
    state: 'pending',
    createdAt: ts,
    pendingSince: ts,
    resolvedAt: null,
    decision: null,
  };
  const { supersedes } = payload.subject;
  // A new gate can close the gates that it replaces.
  const before = Array.isArray(supersedes) ? closeApprovals(run, ({ id }) => supersedes.includes(id), ts) : run;
  const asked = { ...before, approvals: [...before.approvals, approval] };
  const { holds } = gateFacts(payload);
  // An agent whose turn ended may still continue by itself.
  if (holds === 'nothing') return asked;
  if (payload.assignment) return failAssignment(asked, approval);
  if (holds !== 'result' || payload.laneId) return asked;
  const own = payload.subject.producedBy === payload.phaseKey;
  const work = own ? ((payload.subject.work ?? null) as CommittedWork | null) : null;
  return patchPhase(addCommittedWork({ ...asked, state: stateAtGate(run) }, phaseId, work), phaseId, ({ state }) => ({
    // The phase may already wait, at an earlier gate.
    state: state === 'awaiting_approval' ? state : stepPhase(state, 'awaiting_approval'),
  }));
}

/** The state of a newer run follows from all that goes on. A replacing gate opens while the run already waits. */
function stateAtGate(run: Run): Run['state'] {
  if (keepsFailuresLocal(run) || run.state === 'awaiting_approval') return run.state;
  return stepRun(run.state, 'awaiting_approval');
}

/** The assignment waits for a decision. The others of its phase continue. */
function failAssignment(run: Run, { phaseId, assignment, subject }: Approval): Run {
  const { code, reason, sessionId, sessionFailed } = subject as {
    code: string;
    reason: string;
    sessionId?: string;
    sessionFailed?: true;
  };
  const failed = patchAssignment(run, phaseId, assignment, () => ({ status: 'failed', prompt: null }));
  const sessionIds = sessionFailed && sessionId !== undefined ? [sessionId] : [];
  return { ...failed, sessions: failed.sessions.map((session) => failSession(session, { sessionIds, code, reason })) };
}

interface Answer {
  action: 'approve' | 'request_changes';
  comment: string | null;
  ts: string;
}

/** The assignment that a gate is about continues by these. */
const ANSWERS: Readonly<Record<GateKind, (run: Run, approval: Approval, answer: Answer) => Run>> = {
  gate: answerFailed,
  recovery: answerFailed,
  cleanup: answerFailed,
  agent: answerFailed,
  turn: answerTurn,
};

function answerFailed(run: Run, approval: Approval, { action, comment, ts }: Answer): Run {
  // With a comment it is another prompt.
  if (approval.gateKey === UNCERTAIN_GATE && (action === 'approve' || comment === null))
    return settle(run, approval, action === 'approve');
  return retryAssignment(run, approval, action === 'approve' ? null : comment, ts);
}

/** The same prompt, in the same attempt. */
function settle(run: Run, { phaseId, assignment: key }: Approval, taken: boolean): Run {
  const nth = countDoubts(run);
  return patchAssignment(run, phaseId, key, ({ sessionId }) => {
    const { recoveryAttempts = 0 } = sessionOf(run, sessionId) ?? {};
    return { status: 'to_prompt', settled: { taken, recoveryAttempts, nth } };
  });
}

/** A person had a failed assignment tried again, perhaps with a comment. It has its full budgets again. */
function retryAssignment(
  run: Run,
  { phaseId, assignment: key, subject }: Approval,
  comment: string | null,
  at: string,
): Run {
  // The agent has the whole prompt, and only did not finish.
  const isTurn = subject.code === ('turn_without_artifact' satisfies ErrorCode);
  const isLed = run.phases.some((each) => each.id === phaseId && isLedPhase(each));
  const again = patchAssignment(run, phaseId, key, (before) => ({
    // Only what followed a valid artifact failed, such as its commit.
    status: before.artifact && comment === null ? 'validated' : 'to_prompt',
    // An artifact from before the comment does not answer it.
    artifact: comment === null ? before.artifact : null,
    attempt: before.attempt + 1,
    repairsUsed: 0,
    errors: 0,
    repair: null,
    // Of an agent that a person leads: what broke off is not asked for again by itself.
    resend: isLed ? before.resend : null,
    settled: null,
    reminded: false,
    ...(isTurn ? answered(run, before, comment, at) : { nudge: null, changeRequest: comment ?? before.changeRequest }),
  }));
  const phase = again.phases.find(({ id }) => id === phaseId);
  const retried = phase?.assignments.find((assignment) => assignment.key === key);
  return patchSession(again, retried?.sessionId ?? '', resetRecoveryBudget);
}

function patchAssignment(
  run: Run,
  phaseId: string,
  key: string | null,
  change: (assignment: Assignment) => Partial<Assignment>,
): Run {
  return patchPhase(run, phaseId, (phase) => moveAssignments(phase, (assignment) => assignment.key === key, change));
}

function resolved(run: Run, { payload, ts }: Resolved): Run {
  const { approvalRequestId, decisionId, action, comment, clientToken, worktree, comments, by } = payload;
  const approval = run.approvals.find((candidate) => candidate.id === approvalRequestId);
  if (!approval) throw new TypeError(`approval.resolved names no approval of run ${run.id}`);
  const next = patchApproval(withComments(run, approval, { at: ts, comments }), approval.id, () => ({
    state: decided(approval.state, action),
    resolvedAt: ts,
    decision: { id: decisionId, action, comment, clientToken, decidedAt: ts, ...defined({ by }) },
  }));
  if (approval.laneId) {
    const isAgain = approval.gateKey === SETUP_GATE && action === 'approve';
    return isAgain ? setUpAgain(next, approval.laneId, approval.subject.nth) : next;
  }
  if (approval.assignment) {
    const isRetry = action === 'approve' || action === 'request_changes';
    return isRetry ? ANSWERS[approval.kind](next, approval, { action, comment, ts }) : next;
  }
  const isPassed = passesGate(approval, action);
  const accepted = { ...next, decided: isPassed ? (worktree ?? boundWorktree(approval.subject) ?? null) : null };
  if (action === 'request_changes' && !isPassed) {
    const restored = restorePublished(accepted, approval);
    // In newer runs the producer resets them when it begins.
    return keepsFailuresLocal(run) ? restored : resetPhasesAfterProducer(accepted, approval.phaseId);
  }
  if (!isPassed) return accepted;
  if (holdsFailure(approval)) return accepted;
  return patchPhase(accepted, approval.phaseId, (phase) => passed(phase, approval.gateKey));
}

function passed(phase: Phase, gateKey: string): Partial<Phase> {
  return { gatesPassed: [...phase.gatesPassed, gateKey] };
}

/** Resets every phase after the producer, up to the gate, so that it runs again. */
function resetPhasesAfterProducer(run: Run, gatePhaseId: string): Run {
  const gate = run.phases.find((phase) => phase.id === gatePhaseId);
  if (!gate) return run;
  const producer = producerOf(run, gate);
  const phases = run.phases.map((phase): Phase => {
    const follows = phase.seq > producer.seq && phase.seq <= gate.seq && phase.state !== 'skipped';
    return follows ? { ...phase, state: stepPhase(phase.state, 'pending'), endedAt: null } : phase;
  });
  return { ...run, phases };
}
