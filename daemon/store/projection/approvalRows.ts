import { decisionKey } from '../../core/run/keys.ts';
import type { Approval, Decision, Run } from '../../core/run/state.ts';
import type { RowOf } from '../../db/schema/projected.ts';
import type { TableProjection } from './tableProjection.ts';

type Decided = Approval & { decision: Decision };

export const requestRows: TableProjection<'approval_requests', Approval> = {
  parts: (run) => run.approvals,
  row: requestRow,
};

export const decisionRows: TableProjection<'approval_decisions', Decided> = {
  parts: (run) => run.approvals.filter((approval): approval is Decided => approval.decision !== null),
  row: decisionRow,
};

function requestRow(run: Run, approval: Approval): RowOf<'approval_requests'> {
  const { kind, phaseKey, attempt, artifactHash, subject, timeoutMs, assignment, laneId } = approval;
  // Only gates of assignments and lanes have these two: rows of older versions have neither.
  const about = { ...(assignment && { assignment }), ...(laneId && { laneId }) };
  return {
    id: approval.id,
    run_id: run.id,
    phase_id: approval.phaseId || null,
    gate_key: approval.gateKey,
    state: approval.state,
    idempotency_key: approval.key,
    payload: { kind, phaseKey, attempt, artifactHash, subject, timeoutMs, ...about },
    created_at: approval.createdAt,
    resolved_at: approval.resolvedAt,
  };
}

function decisionRow(_run: Run, approval: Decided): RowOf<'approval_decisions'> {
  const { decision } = approval;
  return {
    id: decision.id,
    approval_request_id: approval.id,
    action: decision.action,
    comment: decision.comment,
    decided_at: decision.decidedAt,
    idempotency_key: decisionKey(approval, decision.clientToken),
  };
}
