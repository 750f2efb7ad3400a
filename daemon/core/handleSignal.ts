import type { NewComment } from '../../schemas/comments/comment.ts';
import { defined } from '../../schemas/defined.ts';
import { gatesOf } from '../../schemas/definitions/template.ts';
import type { ApprovalDecisionAction } from '../../schemas/enums.ts';
import { isTerminal } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { NewEvent } from '../../schemas/events/index.ts';
import type { Applied } from '../../schemas/events/run.ts';
import { decidable } from '../../schemas/gates/decidable.ts';
import { blocksRun, gateFacts, holdsFailure, holdsResult } from '../../schemas/gates/gateKinds.ts';
import { type OwnGate, SETUP_GATE } from '../../schemas/gates/ownGates.ts';
import { kindOf } from '../kinds/index.ts';
import { decidedComments } from './comments/decidedComments.ts';
import { requestText } from './comments/requestText.ts';
import { type ContinueSignal, continueRun } from './continueRun.ts';
import { type Edit, editDocument } from './edits/editDocument.ts';
import { refuseMovedFiles, takeTheirs } from './exchange/drift.ts';
import { type CleanupRequest, cleanupGate, isAsked } from './gates/cleanupGate.ts';
import { refuseStaleApproval, refuseUnconfirmed } from './gates/staleApproval.ts';
import { tooLate } from './gates/tooLate.ts';
import { extendIterations, wantMore } from './iterate/steps.ts';
import { type MessageSignal, messageSignal } from './messages/messageSignals.ts';
import { type PhaseSignal, phaseSignal } from './phaseSignals.ts';
import { reopenLane } from './reopenLane.ts';
import { workApplied } from './run/applied.ts';
import { bindsBoundary, keepsFailuresLocal } from './run/behaviour.ts';
import { editedWorktree, passesGate } from './run/boundary.ts';
import type { Placed } from './run/comment.ts';
import { abortRun, failRun, rejection } from './run/endRun.ts';
import { isInIteration } from './run/iterations.ts';
import { decisionId } from './run/keys.ts';
import { producerOf } from './run/producer.ts';
import {
  activeStateAt,
  currentPhase,
  definitionOf,
  isFrozen,
  openRecoveryGates,
  waitsAtRecovery,
} from './run/query.ts';
import { type RankSignal, rankRun } from './run/rank.ts';
import { restartPhase } from './run/restartPhase.ts';
import type { Approval, Decision, Phase, Run } from './run/state.ts';
import { stateConflict } from './run/stateConflict.ts';
import type { Observed } from './run/worktreeState.ts';
import { goOnWithout } from './setupOutcomes.ts';

/** A request of a person, or of a script, to a run. */
export type Signal =
  | { type: 'pause'; reason: string }
  | { type: 'resume'; reason?: string }
  | { type: 'abort'; reason: string }
  | RankSignal
  | PhaseSignal
  | { type: 'reopenLane'; laneId: string; comment: string | null }
  | ({ type: 'askCleanup' } & CleanupRequest)
  | ({ type: 'edit' } & Edit)
  | ({ type: 'applied' } & Applied)
  | MessageSignal
  | ContinueSignal
  | {
      type: 'decide';
      approvalRequestId: string;
      action: ApprovalDecisionAction;
      comment: string | null;
      clientToken: string;
      /** What the person says about lines, files and documents. */
      comments?: NewComment[];
      /** Where these stand, as the interpreter read it just before. */
      placed?: Placed[];
      /** The hash of what the person was shown. */
      shown?: string;
      /** The person's rule that decides. Absent: the person. */
      by?: { rule: string; met: string[] };
      /** The subject of the gate, as the interpreter read it just before. */
      observed?: Observed;
    };

/** Events to record, an earlier decision, or a refusal. A refusal has events if it opens a new gate. */
export type SignalResult = { events: NewEvent[]; decision?: Decision } | { refused: DevflowError; events?: NewEvent[] };

/** Pure and total: every signal has a result in every state. */
export function handleSignal(run: Run, signal: Signal): SignalResult {
  switch (signal.type) {
    case 'pause':
      return pause(run, signal.reason);
    case 'resume':
      return resume(run, signal.reason);
    case 'abort':
      return isTerminal(run.state) ? conflict(run, 'has ended') : { events: abortRun(run, signal.reason) };
    case 'rank':
      return answer(rankRun(run, signal));
    case 'skip':
    case 'progress':
    case 'finish':
      return answer(phaseSignal(run, signal));
    case 'reopenLane':
      return isTerminal(run.state) ? conflict(run, 'has ended') : answer(reopenLane(run, signal));
    case 'askCleanup':
      if (!isTerminal(run.state)) return conflict(run, 'still needs its worktrees');
      return { events: isAsked(run, signal) ? [] : [cleanupGate(run, signal)] };
    case 'edit':
      return answer(editDocument(run, signal));
    case 'applied':
      return isTerminal(run.state) ? { events: workApplied(run, signal) } : conflict(run, 'has not ended');
    case 'queueMessage':
    case 'withdrawMessage':
    case 'settleMessage':
      return answer(messageSignal(run, signal));
    case 'continue':
      return continueRun(run, signal, (approving) => decideApproval(run, { type: 'decide', ...approving }));
    case 'decide':
      return decideApproval(run, signal);
    default:
      return signal satisfies never;
  }
}

function answer(events: NewEvent[] | DevflowError): SignalResult {
  return events instanceof DevflowError ? { refused: events } : { events };
}

const conflict = (run: Run, why: string): SignalResult => ({ refused: stateConflict(run, why) });

function pause(run: Run, reason: string): SignalResult {
  const canPause = ['planning', 'executing', 'awaiting_approval'].includes(run.state) || waitsAtRecovery(run);
  if (!canPause) return conflict(run, `cannot be paused${run.state === 'created' ? ' before it begins' : ''}`);
  const payload = { cause: `manual:${run.pauses + 1}`, pausedFrom: run.pausedFrom ?? run.state, reason };
  return { events: [{ type: 'run.paused', phaseId: null, payload }] };
}

function resume(run: Run, reason?: string): SignalResult {
  if (run.state !== 'paused' || !run.pausedFrom) return conflict(run, 'is not paused');
  const [gate] = openRecoveryGates(run);
  if (gate && !run.frozen) {
    const message = `Run ${run.id} waits for a decision at the recovery gate ${gate.id}, so it cannot be resumed.`;
    const data = { approvalRequestId: gate.id, currentState: run.state };
    return { refused: new DevflowError('gate_pending', message, { runId: run.id, data }) };
  }
  const timedOut = run.approvals.find((approval) => approval.state === 'paused');
  const payload = {
    cause: `manual:${run.pauses}`,
    to: run.pausedFrom,
    ...defined({ approvalRequestId: timedOut?.id }),
    ...(reason ? { reason } : {}),
  };
  return { events: [{ type: 'run.resumed', phaseId: null, payload }] };
}

/** A repeated token returns the recorded decision. Anything else on a decided gate is a conflict. */
function decideApproval(run: Run, signal: Extract<Signal, { type: 'decide' }>): SignalResult {
  const approval = run.approvals.find((candidate) => candidate.id === signal.approvalRequestId);
  if (!approval) {
    const message = `Run ${run.id} has no approval ${signal.approvalRequestId}.`;
    return { refused: new DevflowError('not_found', message, { runId: run.id }) };
  }
  const { decision } = approval;
  if (decision?.clientToken === signal.clientToken && decision.action === signal.action)
    return { events: [], decision };
  if (approval.state !== 'pending') return { refused: tooLate(run, approval, signal.action, signal.clientToken) };
  if (isFrozen(run) && holdsResult(approval)) return conflict(run, 'must be resumed before its gate is decided');
  if (!blocksRun(approval) && !gateFacts(approval).takes.includes(signal.action)) {
    const { reason } = approval.subject;
    const message = `${reason}. devflow does not type into dialogs. The gate closes when the dialog is answered.`;
    const recoveryHint = 'Answer the dialog in the pane, or reject or abort to end the run.';
    return { refused: new DevflowError('usage', message, { runId: run.id, recoveryHint }) };
  }
  const possible = decidable(approval, run.state);
  if (!possible.includes(signal.action)) {
    const words = possible.map((action) => action.replaceAll('_', ' ')).join(' or ');
    const message = `The gate ${approval.gateKey} of run ${run.id} cannot be decided with ${signal.action.replaceAll('_', ' ')}.`;
    return { refused: new DevflowError('usage', message, { runId: run.id, recoveryHint: `Decide with ${words}.` }) };
  }
  const { observed } = signal;
  if (observed?.isUnconfirmed) return { refused: refuseUnconfirmed(run, approval) };
  const isBound = bindsBoundary(run) ? passesGate(approval, signal.action) : signal.action === 'approve';
  const disagrees =
    isBound &&
    observed &&
    (refuseStaleApproval(run, approval, observed) ?? refuseMovedFiles(run, approval, observed.drifts));
  if (disagrees) return disagrees;
  const comments = decidedComments(run, approval, signal);
  if (comments instanceof DevflowError) return { refused: comments };
  const resolved: NewEvent = {
    type: 'approval.resolved',
    // A cleanup gate belongs to no phase.
    phaseId: approval.phaseId || null,
    payload: {
      approvalRequestId: approval.id,
      decisionId: decisionId(approval.id, signal.clientToken),
      action: signal.action,
      comment: signal.comment,
      clientToken: signal.clientToken,
      ...editedWorktree(run, approval, observed?.worktree),
      ...defined({ comments: comments.length > 0 ? comments : undefined, shown: signal.shown, by: signal.by }),
    },
  };
  return { events: [resolved, ...consequences(run, approval, signal, requestText(run, signal.comment, comments))] };
}

/** `request`: the comment of the decision with all others. */
function consequences(
  run: Run,
  approval: Approval,
  { action, comment }: Extract<Signal, { type: 'decide' }>,
  request: string | null,
): NewEvent[] {
  const phase = run.phases.find((candidate) => candidate.id === approval.phaseId);
  if (!phase) return [];
  if (action === 'abort') return abortRun(run, comment ?? `aborted at the gate ${approval.gateKey}`);
  if (approval.laneId && approval.gateKey === SETUP_GATE) {
    return action === 'reject' ? goOnWithout(run, approval.laneId, phase.id) : [];
  }
  if (approval.laneId) return kindOf(phase).decided(run, phase, approval, { action, comment });
  if (action === 'reject') {
    const isOpen = phase.endedAt === null && phase.state !== 'pending';
    return failRun(run, isOpen ? phase : undefined, rejection(approval, comment));
  }
  // The decision itself begins the next attempt of the assignment.
  if (approval.assignment) return [];
  const own = decidedHere(run, approval, phase, { action, comment: request });
  if (own) return own;
  const producer = producerOf(run, phase);
  const leaves = (to: Run['state']) => (keepsFailuresLocal(run) ? [] : [resumed(approval, to)]);
  if (holdsFailure(approval) && (action === 'approve' || producer === phase)) {
    const wanted = action === 'request_changes' ? request : null;
    const cause = wanted !== null && keepsFailuresLocal(run) ? 'changes_requested' : 'retry';
    const back = leaves(run.pausedFrom ?? activeStateAt(run, phase.seq));
    return [...back, restartPhase(phase, cause, wanted ?? phase.changeRequest)];
  }
  if (action === 'approve') return leaves(stateAfter(run, approval, phase));
  if (isInIteration(run, producer) && !isInIteration(run, phase)) return wantMore(run, request);
  return [...leaves(activeStateAt(run, producer.seq)), restartPhase(producer, 'changes_requested', request)];
}

/** The events of a decision at a gate of iterations or contracts; undefined for other gates. */
function decidedHere(
  run: Run,
  { gateKey, subject }: Approval,
  phase: Phase,
  { action, comment }: { action: ApprovalDecisionAction; comment: string | null },
): NewEvent[] | undefined {
  const isApproved = action === 'approve';
  switch (gateKey as OwnGate) {
    case 'iterations_exhausted': {
      // Changes that were wanted beyond the limit: without them, the result is asked about again.
      const wanted = typeof subject.wanted === 'string' ? subject.wanted : undefined;
      const asked = currentPhase(run) ?? phase;
      if (isApproved) return wanted === undefined ? [] : [restartPhase(asked, 'retry', asked.changeRequest)];
      return extendIterations(run, comment ?? wanted ?? null);
    }
    case 'objective_not_met':
      return isApproved ? [] : extendIterations(run, comment);
    case 'contract_drift':
      // devflow's bytes go back first, and then the phase begins.
      return isApproved ? takeTheirs(run, phase) : [];
    case 'session_boundary':
      return [];
    default:
      return undefined;
  }
}

/** `planning` until the phase plan and its gates are done. */
function stateAfter(run: Run, approval: Approval, phase: Phase) {
  const passed = [...phase.gatesPassed, approval.gateKey];
  const last = gatesOf(run.template, definitionOf(run, phase)).every((gate) => passed.includes(gate));
  return activeStateAt(run, last ? phase.seq + 1 : phase.seq);
}

function resumed(approval: Approval, to: Run['state']): NewEvent {
  return { type: 'run.resumed', phaseId: approval.phaseId, payload: { cause: `approval:${approval.id}`, to } };
}
