import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { ApprovalDecisionAction, ApprovalState } from '../../../schemas/enums.ts';
import { createdAt, id, instant, oneOf, updatedAt } from './columns.ts';
import { runPhases } from './phases.ts';
import { runs } from './runs.ts';

export const approvalRequests = pgTable(
  'approval_requests',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id),
    phaseId: uuid('phase_id').references(() => runPhases.id),
    gateKey: text('gate_key').notNull(),
    state: text('state').$type<ApprovalState>().notNull(),
    idempotencyKey: text('idempotency_key').notNull().unique('approval_requests_idempotency_key_key'),
    payload: jsonb('payload').notNull(),
    createdAt: createdAt(),
    resolvedAt: instant('resolved_at'),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('approval_requests_run_id_idx').on(t.runId),
    oneOf('approval_requests_state_check', t.state, ApprovalState.options),
  ],
);

/** Append-only and immutable; a trigger enforces it. */
export const approvalDecisions = pgTable(
  'approval_decisions',
  {
    id: id(),
    approvalRequestId: uuid('approval_request_id')
      .notNull()
      .references(() => approvalRequests.id),
    action: text('action').$type<ApprovalDecisionAction>().notNull(),
    comment: text('comment'),
    decidedAt: instant('decided_at').notNull().defaultNow(),
    idempotencyKey: text('idempotency_key').notNull().unique('approval_decisions_idempotency_key_key'),
  },
  (t) => [
    index('approval_decisions_approval_request_id_idx').on(t.approvalRequestId),
    oneOf('approval_decisions_action_check', t.action, ApprovalDecisionAction.options),
  ],
);
