import { z } from 'zod';
import { ApprovalDecisionAction, ApprovalState, RunPhaseState, RunState, ShownSessionState } from '../enums.ts';
import { EventView } from './views/run.ts';

/** The data of each notification. It suffices to know what to fetch again. */
export const NOTIFICATIONS = {
  'run.state_changed': z.object({ runId: z.string(), state: RunState, currentPhase: z.string().nullable() }),
  /** Progress of a long step that has no events. `run.state_changed` follows after the last one. */
  'run.progress': z.object({
    runId: z.string(),
    /**
     * `worktree` counts files that are written, `agents` the agents that the run needs and that have a slot. `setup` counts
     * files that a worktree gets of the checkout; their total is unknown, so it is 0.
     */
    step: z.enum(['worktree', 'agents', 'setup']),
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
  /** A task, a lane or the merge queue of the run changed. */
  'lanes.changed': z.object({ runId: z.string() }),
  /** A reviewer, a verifier or a fix changed the findings of the run. */
  'findings.changed': z.object({ runId: z.string() }),
  /** A contract file of the repository may have changed. Only for a subscription with `repo`. */
  'contracts.changed': z.object({ repo: z.string() }),
  /** A template, a persona, an artifact schema or a fault of such a file is new, changed or gone. */
  'definitions.changed': z.object({}),
  /** Runs wait for a place in another order, or others do, or one may begin now. */
  'queue.changed': z.object({}),
  /** The server of the engine was lost, or answers again. */
  'engine.changed': z.object({}),
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
    state: ShownSessionState,
  }),
  /** A message to this session was written, arrived, or is in doubt. */
  'messages.changed': z.object({ runId: z.string(), sessionId: z.string() }),
  'transcript.chunk_appended': z.object({ runId: z.string(), sessionId: z.string(), seq: z.number().int() }),
  'artifact.validated': z.object({
    runId: z.string(),
    artifactId: z.string(),
    path: z.string(),
    schema: z.string(),
    hash: z.string(),
  }),
  /** `lost` counts notifications (never run events) that were dropped for a slow reader, who should fetch again. */
  heartbeat: z.object({ at: z.string(), lastSeq: z.number().int().nullable(), lost: z.number().int() }),
} as const;

export const NotificationName = z.enum(Object.keys(NOTIFICATIONS) as (keyof typeof NOTIFICATIONS)[]);
export type NotificationName = keyof typeof NOTIFICATIONS;

/** A notification before it is addressed to a subscriber. */
export type Notification = {
  [N in NotificationName]: { event: N; data: z.infer<(typeof NOTIFICATIONS)[N]> };
}[NotificationName];

/** `params` of a notification on the wire. */
export type NotificationParams = { subscriptionId: string } & Notification;

/** The notifications of a subscription without `runId`. */
export const GLOBAL_NOTIFICATIONS: readonly NotificationName[] = [
  'run.state_changed',
  'run.progress',
  'approval.created',
  'approval.resolved',
  'queue.changed',
  'definitions.changed',
  'engine.changed',
  'heartbeat',
];
