import { z } from 'zod';
import { Comment } from '../comments/comment.ts';
import { ApprovalDecisionAction, GateKind } from '../enums.ts';
import { defineEvent } from './define.ts';

export const approvalEvents = [
  defineEvent(
    'approval.requested',
    z.strictObject({
      approvalRequestId: z.string(),
      /** `approval_requests.idempotency_key`: bound to the gate, the attempt and the artifact hash. */
      approvalKey: z.string(),
      gateKey: z.string(),
      kind: GateKind,
      phaseKey: z.string(),
      /** The assignment that the gate is about. Absent if it is about the phase or a lane. */
      assignment: z.string().optional(),
      /** The lane that the gate is about. Absent if it is about the phase. */
      laneId: z.string().optional(),
      attempt: z.number().int().positive(),
      artifactHash: z.string().nullable(),
      /** The subject of the decision: artifact paths, commit, command results, error and hint. */
      subject: z.record(z.string(), z.unknown()),
      timeoutMs: z.number().int().positive().nullable(),
    }),
    ({ payload }) => `approval.requested:${payload.approvalKey}`,
  ),
  defineEvent(
    'approval.resolved',
    z.strictObject({
      approvalRequestId: z.string(),
      decisionId: z.string(),
      action: ApprovalDecisionAction,
      comment: z.string().nullable(),
      clientToken: z.string(),
      /** The branch and the worktree that the decision is about. Absent: as the gate shows them. */
      worktree: z
        .strictObject({
          head: z.string(),
          tree: z.string(),
          files: z.array(z.string()),
          uncommitted: z.string().nullable(),
        })
        .optional(),
      /** What the person said about lines, files and documents. Absent: nothing. */
      comments: z.array(Comment).optional(),
      /** The hash of what the person was shown. Absent: the client did not say. */
      shown: z.string().optional(),
      /** The person's rule that decided, and the conditions that were met. Absent: the person did. */
      by: z.strictObject({ rule: z.string(), met: z.array(z.string()) }).optional(),
    }),
    ({ payload }) => `approval.resolved:${payload.approvalRequestId}:${payload.action}`,
  ),
  /** The person's rules do not pass the gate. It waits for the person, and no rule is checked there again. */
  defineEvent(
    'approval.rule_checked',
    z.strictObject({ approvalRequestId: z.string(), why: z.array(z.string()).min(1) }),
    ({ payload }) => `approval.rule_checked:${payload.approvalRequestId}`,
  ),
  /** Nobody has to decide any more, and what waited goes on. */
  defineEvent(
    'approval.withdrawn',
    z.strictObject({ approvalRequestId: z.string(), reason: z.string() }),
    ({ payload }) => `approval.withdrawn:${payload.approvalRequestId}`,
  ),
] as const;
