import { z } from 'zod';
import {
  APPROVAL_STATES,
  BACKENDS,
  GATE_KINDS,
  LANE_STATES,
  RUN_STATES,
  SESSION_STATES,
  SEVERITIES,
  SHOWN_SESSION_STATES,
} from './names.ts';

/** The closed vocabularies: one zod enum each, with the type of the same name. */

/** A dead agent's way back: in its conversation, or in a new one. */
export const Recovery = z.enum(['resume', 'rebootstrap']);
export type Recovery = z.infer<typeof Recovery>;

export const Backend = z.enum(BACKENDS);
export type Backend = z.infer<typeof Backend>;

export const Capability = z.enum([
  'spec_write',
  'phase_planning',
  'task_dag_planning',
  'code_edit',
  'test_first_development',
  'code_review',
  'evidence_check',
  'command_execute',
  'backtest_run',
  'metric_extract',
  'failure_mining',
  'objective_eval',
  'final_report_compose',
]);
export type Capability = z.infer<typeof Capability>;

export const RiskLevel = z.enum(['low', 'medium', 'high']);
export type RiskLevel = z.infer<typeof RiskLevel>;

/**
 * An agent's permission; each includes the one before. `read`: read its worktree and write its artifact. `edit`: change
 * files of the worktree. `execute`: run commands. It depends on the needs of the work, not on trust in a model.
 */
export const PermissionMode = z.enum(['read', 'edit', 'execute']);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** `pause` is no decision, but an operation on a run. */
export const ApprovalDecisionAction = z.enum(['approve', 'reject', 'request_changes', 'abort']);
export type ApprovalDecisionAction = z.infer<typeof ApprovalDecisionAction>;

/** `paused` means that the gate timed out. It is no decision. */
export const ApprovalState = z.enum(APPROVAL_STATES);
export type ApprovalState = z.infer<typeof ApprovalState>;

/**
 * `gate`: the template or one of devflow's own questions. `recovery`: devflow cannot continue alone. `cleanup`: uncommitted work
 * would be lost. `agent`: an agent asks something in its pane. `turn`: an agent's turn ended without its artifact.
 */
export const GateKind = z.enum(GATE_KINDS);
export type GateKind = z.infer<typeof GateKind>;

export const RunState = z.enum(RUN_STATES);
export type RunState = z.infer<typeof RunState>;

export { isLaneEnded, isTerminal, TERMINAL_LANE_STATES, TERMINAL_RUN_STATES } from './names.ts';

export const RunPhaseState = z.enum([
  'pending',
  'running',
  'awaiting_artifact',
  'validating',
  'awaiting_approval',
  'completed',
  'failed',
  'skipped',
]);
export type RunPhaseState = z.infer<typeof RunPhaseState>;

/** `queued`: it waits in the merge queue. `abandoned`: its work does not land. */
export const LaneState = z.enum(LANE_STATES);
export type LaneState = z.infer<typeof LaneState>;

/** `completed`: committed in its lane, and not yet landed. */
export const TaskState = z.enum(['waiting', 'started', 'completed', 'landed', 'abandoned']);
export type TaskState = z.infer<typeof TaskState>;

export const SessionState = z.enum(SESSION_STATES);
export type SessionState = z.infer<typeof SessionState>;

export const ShownSessionState = z.enum(SHOWN_SESSION_STATES);
export type ShownSessionState = z.infer<typeof ShownSessionState>;

/** Why an agent cannot continue by itself. `states/stall.ts` says who ends each of them, and what follows. */
export const StallCause = z.enum([
  'permission',
  'question',
  'dialog',
  'draft',
  'quota',
  'error',
  'idle',
  'login',
  'hung',
  'turn_over',
]);
export type StallCause = z.infer<typeof StallCause>;

/** The kinds of news that devflow tells a person outside of its own screens. */
export const NewsKind = z.enum(['decision', 'agent', 'turn', 'message', 'run_ended', 'queue', 'schedule', 'server']);
export type NewsKind = z.infer<typeof NewsKind>;

/** The content of a transcript chunk: output, a new size of the pane, or a gap where output was lost. */
export const TranscriptKind = z.enum(['output', 'resize', 'gap']);
export type TranscriptKind = z.infer<typeof TranscriptKind>;

export const CommandKind = z.enum(['git', 'test', 'e2e', 'doctor', 'backtest', 'setup', 'other']);
export type CommandKind = z.infer<typeof CommandKind>;

/**
 * `agent`: role instances write artifacts in the run's worktree. `command`: devflow runs commands there. `lanes`: agents do the
 * tasks of a task graph in parallel, in worktrees of their own. `review`: agents look for defects in the change. `evaluate`:
 * devflow measures the work and judges it against the objective. `step`: devflow does a step of the template factory.
 * `direct`: a person leads an agent, and says when the work is finished.
 */
export const PhaseKind = z.enum(['agent', 'command', 'lanes', 'review', 'evaluate', 'step', 'direct']);
export type PhaseKind = z.infer<typeof PhaseKind>;
/** A table of types over all kinds of phases. A missing kind does not compile there; elsewhere it counts as `never`. */
export type OfKinds<T extends { [K in PhaseKind]: unknown }> = { [K in PhaseKind]: K extends keyof T ? T[K] : never };

/** devflow's own work in a phase of kind `step`. */
export const Step = z.enum(['discover', 'rehearse', 'promote']);
export type Step = z.infer<typeof Step>;

export const FindingSeverity = z.enum(SEVERITIES);
export type FindingSeverity = z.infer<typeof FindingSeverity>;

/** The subjects of a review, most important first. */
export const BATCH_CATEGORIES = [
  'correctness',
  'security',
  'data_loss',
  'concurrency',
  'error_handling',
  'tests',
  'interface',
  'other',
] as const;
export type BatchCategory = (typeof BATCH_CATEGORIES)[number];

/** The last three are of older runs. */
export const FindingCategory = z.enum([...BATCH_CATEGORIES, 'evidence', 'style', 'performance']);
export type FindingCategory = z.infer<typeof FindingCategory>;

/** `disputed`: the verifier could not prove its answer. `duplicate`: another finding is about the same defect. */
export const VerifierStatus = z.enum(['unverified', 'confirmed', 'rejected', 'disputed', 'duplicate']);
export type VerifierStatus = z.infer<typeof VerifierStatus>;

/** The fate of a finding. `accepted`: a person lets the change pass with it. */
export const FindingState = z.enum([...VerifierStatus.options, 'fixed', 'accepted']);
export type FindingState = z.infer<typeof FindingState>;

/** `delta`: what a fix changed. `closing`: the whole change once more, after the last fix. */
export const ReviewScope = z.enum(['full', 'delta', 'closing']);
export type ReviewScope = z.infer<typeof ReviewScope>;

export const DatabaseMode = z.enum(['embedded', 'compose', 'external']);
export type DatabaseMode = z.infer<typeof DatabaseMode>;

/** `stopped`: in order. `silent`: without a word, or it cannot be reached. */
export const HostState = z.enum(['ready', 'waiting', 'stopped', 'silent']);
export type HostState = z.infer<typeof HostState>;

/** What becomes of times at which devflow did not run. `once`: the newest of them is made up for. */
export const MissedStart = z.enum(['once', 'skip']);
export type MissedStart = z.infer<typeof MissedStart>;
