import { z } from 'zod';
import { CommentView } from '../../comments/commentView.ts';
import { BindingOverride } from '../../definitions/persona.ts';
import { Backend, PermissionMode, PhaseKind, RunPhaseState, RunState } from '../../enums.ts';
import { CommittedWork } from '../../events/phase.ts';
import { Applied, type RunFact } from '../../events/run.ts';
import { AutoGates } from '../../gates/autoGates.ts';
import { AgentRights } from '../../repository/agentSettings.ts';
import { Sandbox } from '../../sandbox.ts';
import { ApprovalSummary } from './approval.ts';
import { ArtifactView } from './artifact.ts';
import { CommandView } from './command.ts';
import { LocatedFinding } from './findings.ts';
import { LaneSummary } from './lanes.ts';
import { RunOutcome } from './outcome.ts';
import { QueuePlace } from './queue.ts';
import { Time } from './refs.ts';
import { SessionSummary } from './session.ts';
import { SetupView } from './setup.ts';

/** A role, the persona that plays it, and why. */
export const BindingView = z.object({
  roleId: z.string(),
  role: z.string(),
  persona: z.string().describe('name@version'),
  personaHash: z.string(),
  backend: Backend,
  bindingHash: z.string(),
  override: BindingOverride.nullable(),
  permissionMode: PermissionMode.describe('what its agent may do'),
  reason: z.string(),
});
export type BindingView = z.infer<typeof BindingView>;

/** A run in lists. */
export const RunSummary = z.object({
  runId: z.string(),
  /** The person's, else the agent's, else the first line of the requirements. */
  title: z.string(),
  state: RunState,
  /** Only once a run of reviews alone is completed. */
  outcome: RunOutcome.optional(),
  /** It changes nothing, so there is nothing to apply. Absent otherwise. */
  onlyReviews: z.literal(true).optional(),
  template: z.string().describe('name@version'),
  repoPath: z.string(),
  /** The host that has its files and agents. Absent if this is the only host. */
  host: z.string().optional(),
  baseBranch: z.string(),
  currentPhase: z.string().nullable(),
  /** The condition that it waits for, in a sentence. Null while it works and after it ends. */
  waitingFor: z.string().nullable(),
  /** True if a person must act. Other work of the run may continue. */
  waitsForPerson: z.boolean(),
  /** While it waits for a place on its host. An older daemon never says it. */
  queue: QueuePlace.optional(),
  /** Everything else that it waits for, people first. */
  alsoWaitsFor: z.array(z.string()),
  /** Phases. Skipped phases count as done. */
  progress: z.object({ done: z.number().int(), total: z.number().int() }),
  createdAt: Time,
  endedAt: Time.nullable(),
  /** When a person took its work over last with `run.apply`; null: nobody did. An older daemon does not say. */
  appliedAt: Time.nullish(),
});
export type RunSummary = z.infer<typeof RunSummary>;

export const PhaseView = z.object({
  phaseId: z.string(),
  key: z.string(),
  title: z.string(),
  kind: PhaseKind,
  state: RunPhaseState,
  /** True while a person decides how a failed attempt goes on. */
  waits: z.boolean().optional(),
  attempts: z.number().int(),
  roles: z.array(z.string()),
  gates: z.array(z.string()),
  work: CommittedWork.nullable(),
  startedAt: Time.nullable(),
  endedAt: Time.nullable(),
});
export type PhaseView = z.infer<typeof PhaseView>;

export const AssignmentState = z.enum(['to_prompt', 'prompted', 'validated', 'invalid', 'failed']);
export type AssignmentState = z.infer<typeof AssignmentState>;

/** One agent asked for one artifact, in the newest attempt of a phase. */
export const AssignmentView = z.object({
  phaseKey: z.string(),
  /** The role, or in a lane the task. */
  key: z.string(),
  roleId: z.string(),
  laneId: z.string(),
  attempt: z.number().int(),
  state: AssignmentState,
  sessionId: z.string(),
});
export type AssignmentView = z.infer<typeof AssignmentView>;

/** A validated artifact where its contract expects it, in the worktree. */
export const PublishedHandover = z.object({
  phaseKey: z.string(),
  contract: z.string(),
  /** Relative to the worktree. */
  path: z.string(),
  sha256: z.string(),
  /** `drifted`: the file is no longer what devflow published. */
  state: z.enum(['published', 'drifted']),
  warnings: z.array(LocatedFinding),
});
export type PublishedHandover = z.infer<typeof PublishedHandover>;

/** One pass of the phases that a run repeats. */
export const IterationView = z.object({
  nth: z.number().int().positive(),
  /** A person's request beyond the requirements. */
  extension: z.string().nullable(),
  startedAt: Time,
  endedAt: Time.nullable(),
  /** True if nothing was left to do. Null while it is open. */
  resolved: z.boolean().nullable(),
  issues: z.number().int(),
});
export type IterationView = z.infer<typeof IterationView>;

/** A run with everything that a screen shows. */
export const RunDetail = RunSummary.extend({
  templateHash: z.string(),
  pausedFrom: RunState.nullable(),
  baseCommit: z.string(),
  branch: z.string().nullable(),
  worktreeRoot: z.string(),
  /** The number of files that git has written, while it writes a large worktree. */
  worktreeFiles: z.object({ done: z.number().int(), total: z.number().int() }).nullable(),
  finalReportPath: z.string().nullable(),
  /** The sandbox of its agents. Absent: none. */
  sandbox: Sandbox.optional(),
  /** Words before the command line of its agents. Absent: none. */
  wrap: z.array(z.string()).optional(),
  /** Its agents have these of the repository's own settings. Absent: nothing. */
  agentRights: AgentRights.optional(),
  /** Your rules for its gates, as they were at its start. Absent: none. */
  autoGates: AutoGates.optional(),
  /** It works in your checkout. Absent: in a worktree of its own. */
  here: z.literal(true).optional(),
  /** The run that must be applied or completed first. Absent: none. */
  after: z.string().optional(),
  /** The schedule that started it, and for which of its times. Absent: none. */
  schedule: z.object({ id: z.string(), occurrence: Time }).optional(),
  /** Its templates in order, by name and version. Absent: it has one. */
  templates: z.array(z.string()).optional(),
  requirements: z.string(),
  objective: z.unknown(),
  extra: z.record(z.string(), z.unknown()).nullable(),
  /** Why it failed, was aborted or is paused. */
  reason: z.string().nullable(),
  startedAt: Time.nullable(),
  /** The newest event. A subscription with this `afterSeq` misses nothing. */
  lastSeq: z.number().int(),
  phases: z.array(PhaseView),
  bindings: z.array(BindingView),
  assignments: z.array(AssignmentView),
  /** Without `main`, the run's own worktree. */
  lanes: z.array(LaneSummary),
  /** The number of findings that `run.findings` lists. */
  findings: z.number().int(),
  approvals: z.array(ApprovalSummary),
  sessions: z.array(SessionSummary),
  commands: z.array(CommandView),
  artifacts: z.array(ArtifactView),
  /** In the order in which they were published. Absent if the run publishes none. */
  handovers: z.array(PublishedHandover).optional(),
  /** The oldest first. Absent if the run repeats no phases. */
  iterations: z.array(IterationView).optional(),
  /** What people said about lines, files and documents, oldest first. Absent if nobody did. */
  comments: z.array(CommentView).optional(),
  /** The branches of the person that got its work, in order. Absent if none did. */
  applied: z.array(Applied.extend({ at: Time })).optional(),
  /** By lane. Absent if the worktrees of the run are not set up. */
  setups: z.array(SetupView).optional(),
}) satisfies z.ZodType<
  Record<
    Exclude<
      RunFact,
      'after' | 'autoGates' | 'here' | 'host' | 'overrides' | 'requirementsMd' | 'sandbox' | 'schedule' | 'wrap'
    >,
    unknown
  >
>;
export type RunDetail = z.infer<typeof RunDetail>;

/** An event of the log. */
export const EventView = z.object({
  runId: z.string(),
  seq: z.number().int().positive(),
  type: z.string(),
  phaseId: z.string().nullable(),
  payload: z.record(z.string(), z.unknown()),
  idempotencyKey: z.string(),
  ts: Time,
});
export type EventView = z.infer<typeof EventView>;

/** The answer of pause, resume and abort. `changed` is false if the run already had this state. */
export const RunMoved = z.object({ runId: z.string(), state: RunState, changed: z.boolean() });
export type RunMoved = z.infer<typeof RunMoved>;
