import type { Binding } from '../../../../schemas/definitions/persona.ts';
import type { Backend, CommandKind } from '../../../../schemas/enums.ts';
import type { PromptEnvelope } from '../../../../schemas/envelope.ts';
import type { ErrorRecord } from '../../../../schemas/errors.ts';
import type { ValidationError } from '../../../../schemas/events/artifact.ts';
import type { CommittedWork } from '../../../../schemas/events/phase.ts';
import type { Stall } from '../../../../schemas/events/run.ts';
import type { LanePlace } from './lanes.ts';
import type { WorktreeState } from './worktreeState.ts';

/** An artifact of an earlier phase that a prompt names. */
export interface Input {
  /** Absolute, as in the prompt. */
  path: string;
  /** devflow writes the bytes of this artifact there before it sends the prompt. */
  artifact: { path: string; storedPath: string | null; hash: string };
}

/** What a performer needs to start or adopt an agent. */
export interface SessionStart {
  sessionId: string;
  runId: string;
  repoPath: string;
  roleId: string;
  laneId: string;
  /** The worktree that the agent works in, and where to restore it from. */
  lane: LanePlace;
  backend: Backend;
  cwd: string;
  binding: Binding;
  /** Counts recoveries: each restart of the agent is a new incarnation of the session. */
  recoveryAttempts: number;
}

/**
 * What must happen next. `key` is derived from the run's state: effects with the same key are the same effect, and performing
 * it twice equals performing it once.
 */
export type Effect = { key: string; runId: string } & (
  | { type: 'lockBindings' }
  | { type: 'startSession'; session: SessionStart }
  | {
      type: 'sendPrompt';
      session: SessionStart;
      phaseId: string;
      envelope: PromptEnvelope;
      repair: boolean;
      inputs: Input[];
    }
  | {
      type: 'awaitArtifact';
      session: SessionStart;
      phaseId: string;
      roleId: string;
      /** The key of the assignment. */
      assignment: string;
      attempt: number;
      path: string;
      storedPath: string;
      schema: string;
      /** Whether later decisions depend on the content. */
      wantsData: boolean;
      /** ISO time from which `timeoutMs` counts. */
      since: string;
      /** Null while the agent is stalled: a stall has no deadline. */
      timeoutMs: number | null;
    }
  | { type: 'recoverSession'; session: SessionStart; how: 'resume' | 'rebootstrap' }
  | {
      type: 'commitWork';
      phaseId: string;
      phaseKey: string;
      attempt: number;
      lane: LanePlace;
      since: string;
      title: string;
      /** Whether a gate binds the worktree after the commit. */
      bindsWorktree: boolean;
      hasGate: boolean;
    }
  /** Reads the state that a gate will bind, or that the next phase compares with what was approved. */
  | { type: 'inspectWorktree'; phaseId: string; repoPath: string; worktree: string; branch: string; lastKnown: string }
  | {
      type: 'runCommand';
      phaseId: string;
      commandId: string;
      kind: CommandKind;
      argv: string[];
      cwd: string;
      /** Directory of its output and status files. */
      dir: string;
      startedAt: string;
      timeoutMs: number;
      /** The first command after a gate must run on what was approved. */
      from: { approved: WorktreeState; repoPath: string; branch: string } | null;
    }
  | { type: 'expireApproval'; approvalRequestId: string; since: string; timeoutMs: number }
  | { type: 'disposeSessions'; sessions: { sessionId: string; backend: Backend }[] }
  | { type: 'composeReport' }
);
export type EffectType = Effect['type'];
export type EffectOf<T extends EffectType> = Extract<Effect, { type: T }>;

/** The result of an effect. A performer reports it and decides nothing. */
export type Outcome =
  | { type: 'bindingsLocked'; bindings: Binding[]; branch: string }
  | { type: 'sessionReady'; sessionId: string }
  /**
   * `recoveryAttempts` when the effect started, so that a death seen by an effect and by the watcher counts once. Absent if
   * the watcher reports it.
   */
  | { type: 'sessionLost'; sessionId: string; error: ErrorRecord; recoveryAttempts?: number }
  /**
   * `recoveryAttempts` when the effect started, so that a delivery to a replaced agent does not count. `takerEnded`: the
   * agent took the prompt and exited; the present program does not work on it.
   */
  | {
      type: 'promptDelivered';
      sessionId: string;
      recoveryAttempts: number;
      envelope: PromptEnvelope;
      promptId: string;
      repair: boolean;
      takerEnded?: boolean;
      /** Copies of approved artifacts that somebody changed and devflow restored. */
      changedInputs?: string[];
    }
  | {
      type: 'artifactFound';
      phaseId: string;
      roleId: string;
      path: string;
      schema: string;
      hash: string;
      verdict: Validation;
    }
  /** `key`: of the effect whose deadline passed. */
  | { type: 'artifactTimedOut'; key: string; phaseId: string; roleId: string; sessionId: string; path: string }
  /** The session's current stall, or null. */
  | { type: 'sessionStalled'; sessionId: string; stall: Stall | null }
  | { type: 'sessionRecovered'; sessionId: string; how: 'resume' | 'rebootstrap'; hint?: string }
  | { type: 'workCommitted'; phaseId: string; attempt: number; work: CommittedWork; worktree?: WorktreeState }
  | { type: 'worktreeRead'; key: string; worktree: WorktreeState }
  /** The command did not start, because the worktree differs from what was approved. */
  | { type: 'worktreeMoved'; key: string; worktree: WorktreeState }
  | { type: 'commandEnded'; commandId: string; exitCode: number | null; ok: boolean; reason: string }
  | { type: 'approvalExpired'; approvalRequestId: string; since: string }
  | { type: 'effectFailed'; key: string; error: ErrorRecord };

/** `data`: the parsed content, if the effect asked for it. */
export type Validation =
  | { valid: true; storedPath: string; data?: unknown }
  | { valid: false; errors: ValidationError[] };

export type OutcomeOf<T extends Outcome['type']> = Extract<Outcome, { type: T }>;
