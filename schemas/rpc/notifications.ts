import { z } from 'zod';
import { ApprovalDecisionAction, ApprovalState, RunPhaseState, RunState, SessionState } from '../enums.ts';
import { EventView } from './views/run.ts';

/** What each notification tells. All carry enough to know what to fetch again. */
export const NOTIFICATIONS = {
  'run.state_changed': z.object({ runId: z.string(), state: RunState, currentPhase: z.string().nullable() }),
  /** Of a step that takes long and has no event. After the last one, `run.state_changed` follows. */
  'run.progress': z.object({
    runId: z.string(),
    step: z.literal('worktree'),
    /** Files that are written. */
    done: z.number().int(),
    total: z.number().int(),
  }),
  'run.event_appended': EventView,
  'phase.state_changed': z.object({
    runId: z.string(),
    phaseId: z.string(),
    key: z.string(),
    state: RunPhaseState,
    attempts: z.number().int(),
  }),
  'approval.created': z.object({
    runId: z.string(),
    approvalId: z.string(),
    gateKey: z.string(),
    phaseKey: z.string().nullable(),
    state: ApprovalState,
  }),
  'approval.resolved': z.object({
    runId: z.string(),
    approvalId: z.string(),
    gateKey: z.string(),
    phaseKey: z.string().nullable(),
    state: ApprovalState,
    action: ApprovalDecisionAction.nullable(),
  }),
  'session.state_changed': z.object({
    runId: z.string(),
    sessionId: z.string(),
    roleId: z.string(),
    state: SessionState,
  }),
  'transcript.chunk_appended': z.object({ runId: z.string(), sessionId: z.string(), seq: z.number().int() }),
  'artifact.validated': z.object({
    runId: z.string(),
    artifactId: z.string(),
    path: z.string(),
    schema: z.string(),
    hash: z.string(),
  }),
  /** `lost`: so many notifications (never run events) were dropped for a slow reader, who should fetch again. */
  heartbeat: z.object({ at: z.string(), lastSeq: z.number().int().nullable(), lost: z.number().int() }),
} as const;

export const NotificationName = z.enum(Object.keys(NOTIFICATIONS) as (keyof typeof NOTIFICATIONS)[]);
export type NotificationName = keyof typeof NOTIFICATIONS;

/** What happened, before it is addressed to a subscriber. */
export type Notification = {
  [N in NotificationName]: { event: N; data: z.infer<(typeof NOTIFICATIONS)[N]> };
}[NotificationName];

/** `params` of a notification on the wire. */
export type NotificationParams = { subscriptionId: string } & Notification;

/** What a subscription without `runId` gets (scope "both"). */
export const GLOBAL_NOTIFICATIONS: readonly NotificationName[] = [
  'run.state_changed',
  'run.progress',
  'approval.created',
  'approval.resolved',
  'heartbeat',
];
