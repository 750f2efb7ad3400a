import type { RunEvent } from '../../../../schemas/events/index.ts';
import type { CommittedWork } from '../../../../schemas/events/phase.ts';
import { decided } from '../machines/approval.ts';
import { stepPhase } from '../machines/phase.ts';
import { stepRun } from '../machines/run.ts';
import { closeApprovals, patchApproval, patchPhase } from '../run/patch.ts';
import { producerOf } from '../run/query.ts';
import type { Approval, Phase, Run } from '../run/state.ts';
import { boundWorktree } from '../run/worktreeState.ts';
import { addCommittedWork } from './committedWork.ts';

type Requested = Extract<RunEvent, { type: 'approval.requested' }>;
type Resolved = Extract<RunEvent, { type: 'approval.resolved' }>;

/** Gates: asked and answered. Other events record how the answer changes the run. */
export function evolveApproval(run: Run, event: Requested | Resolved): Run {
  return event.type === 'approval.requested' ? requested(run, event) : resolved(run, event);
}

function requested(run: Run, { payload, phaseId, ts }: Requested): Run {
  const { approvalRequestId, approvalKey, ...facts } = payload;
  const approval: Approval = {
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
  if (payload.kind !== 'gate') return asked;
  const own = payload.subject.producedBy === payload.phaseKey;
  const work = own ? ((payload.subject.work ?? null) as CommittedWork | null) : null;
  // A replacing gate opens while the run already waits.
  const state = run.state === 'awaiting_approval' ? run.state : stepRun(run.state, 'awaiting_approval');
  return patchPhase({ ...asked, state }, phaseId, (phase) => ({
    // The phase may already wait, at an earlier gate.
    state: phase.state === 'awaiting_approval' ? phase.state : stepPhase(phase.state, 'awaiting_approval'),
    ...addCommittedWork(phase, work),
  }));
}

function resolved(run: Run, { payload, ts }: Resolved): Run {
  const { approvalRequestId, decisionId, action, comment, clientToken } = payload;
  const approval = run.approvals.find((candidate) => candidate.id === approvalRequestId);
  if (!approval) throw new TypeError(`approval.resolved names no approval of run ${run.id}`);
  const next = patchApproval(run, approval.id, () => ({
    state: decided(approval.state, action),
    resolvedAt: ts,
    decision: { id: decisionId, action, comment, clientToken, decidedAt: ts },
  }));
  const accepted = { ...next, decided: action === 'approve' ? (boundWorktree(approval.subject) ?? null) : null };
  if (action === 'request_changes') return resetPhasesAfterProducer(accepted, approval.phaseId);
  if (action !== 'approve') return accepted;
  if (approval.kind === 'recovery') return accepted;
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
