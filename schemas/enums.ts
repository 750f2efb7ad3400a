import { z } from 'zod';
import { APPROVAL_STATES, BACKENDS, RUN_STATES, SESSION_STATES, SHOWN_SESSION_STATES } from './names.ts';

/** The closed vocabularies: one zod enum each, with the type of the same name. */

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
 * What an agent may do, each including the one before: `read` reads its worktree and writes its artifact, no more; `edit`
 * changes files of the worktree; `execute` runs commands. Not a scale of trust in a model but of what its work needs.
 */
export const PermissionMode = z.enum(['read', 'edit', 'execute']);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** `pause` is an operation on a run, never a decision. */
export const ApprovalDecisionAction = z.enum(['approve', 'reject', 'request_changes', 'abort']);
export type ApprovalDecisionAction = z.infer<typeof ApprovalDecisionAction>;

/** `paused` is what a timeout leaves behind; it decides nothing. */
export const ApprovalState = z.enum(APPROVAL_STATES);
export type ApprovalState = z.infer<typeof ApprovalState>;

export const RunState = z.enum(RUN_STATES);
export type RunState = z.infer<typeof RunState>;

export { isTerminal, TERMINAL_RUN_STATES } from './terminalStates.ts';

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

export const SessionState = z.enum(SESSION_STATES);
export type SessionState = z.infer<typeof SessionState>;

export const ShownSessionState = z.enum(SHOWN_SESSION_STATES);
export type ShownSessionState = z.infer<typeof ShownSessionState>;

/**
 * What keeps an agent from going on by itself. A person ends most of them, the clock `quota`, `error` (its turn ended in one)
 * and `idle` (its turn ended, and it may have thought itself done), and `hung` is mended without either.
 */
export const StallCause = z.enum([
  ...['permission', 'question', 'dialog', 'draft'],
  ...['quota', 'error', 'idle', 'login', 'hung'],
] as const);
export type StallCause = z.infer<typeof StallCause>;

/** What a transcript chunk tells: what was printed, the size of the pane from there on, or that output was lost there. */
export const TranscriptKind = z.enum(['output', 'resize', 'gap']);
export type TranscriptKind = z.infer<typeof TranscriptKind>;

export const CommandKind = z.enum(['git', 'test', 'e2e', 'doctor', 'backtest', 'other']);
export type CommandKind = z.infer<typeof CommandKind>;

export const PhaseKind = z.enum(['agent', 'command']);
export type PhaseKind = z.infer<typeof PhaseKind>;

export const FindingSeverity = z.enum(['info', 'low', 'medium', 'high', 'critical']);
export type FindingSeverity = z.infer<typeof FindingSeverity>;

export const FindingCategory = z.enum(['correctness', 'evidence', 'style', 'security', 'performance', 'other']);
export type FindingCategory = z.infer<typeof FindingCategory>;

export const VerifierStatus = z.enum(['unverified', 'confirmed', 'rejected']);
export type VerifierStatus = z.infer<typeof VerifierStatus>;

export const DatabaseMode = z.enum(['embedded', 'compose', 'external']);
export type DatabaseMode = z.infer<typeof DatabaseMode>;
