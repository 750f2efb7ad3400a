import type { Binding } from '../../../../schemas/definitions/persona.ts';
import type { Backend, CommandKind } from '../../../../schemas/enums.ts';
import type { PromptEnvelope } from '../../../../schemas/envelope.ts';
import type { ErrorRecord } from '../../../../schemas/errors.ts';
import type { ValidationError } from '../../../../schemas/events/artifact.ts';
import type { LaneHead, MergeTest } from '../../../../schemas/events/lanes.ts';
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
      /** In a lane: the assignment whose work it is, what the lane may write, and the tip of `main` that it builds on. */
      part?: { assignment: string; writeSet: string[]; base: string };
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
      lane: LanePlace;
      /** The lane that it checks; absent for a command of the phase. */
      laneId?: string;
      /** Directory of its output and status files. */
      dir: string;
      startedAt: string;
      timeoutMs: number;
      /** The first command after a gate must run on what was approved. */
      from: { approved: WorktreeState; repoPath: string; branch: string } | null;
    }
  /** Finds the files that several tasks may write. */
  | { type: 'findOverlaps'; phaseId: string; laneId: string; attempt: number; main: LanePlace; tasks: TaskFiles[] }
  /** Brings `main` into a lane that was sent back: a clean merge, or a conflict for its agent to resolve. */
  | {
      type: 'prepareLane';
      phaseId: string;
      laneId: string;
      lane: LanePlace;
      onto: string;
      conflict: ConflictNote | null;
      /** ISO time of the commit. */
      at: string;
    }
  /** Checks the resolution of a conflict, and commits it. */
  | {
      type: 'commitResolution';
      phaseId: string;
      laneId: string;
      assignment: string;
      lane: LanePlace;
      onto: string;
      artifact: { path: string; storedPath: string | null; hash: string };
      writeSet: string[];
      /** ISO time of the commit. */
      at: string;
      acceptsDroppedTests: boolean;
    }
  /** Merges lanes onto a base without a checkout, and runs the checks at the resulting tree. */
  | {
      type: 'testMerge';
      phaseId: string;
      laneId: string;
      main: LanePlace;
      /** devflow's worktree for checks. */
      worktree: string;
      base: string;
      lanes: LaneHead[];
      checks: { hash: string; commands: Check[] };
      /** 2: run the checks although the tree is known. */
      nth: number;
      /** What is known about trees. No tree is tested twice without need. */
      known: Pick<MergeTest, 'tree' | 'failed' | 'results'>[];
      /** Directory of outputs. */
      dir: string;
      /** ISO time in the commits of the merge, so that the same merge is the same commit. */
      at: string;
    }
  /** Moves `main` to a tested commit. */
  | {
      type: 'landMerge';
      phaseId: string;
      laneId: string;
      main: LanePlace;
      from: string;
      to: string;
      lanes: string[];
      flaky: string[];
    }
  | { type: 'expireApproval'; approvalRequestId: string; since: string; timeoutMs: number }
  | { type: 'disposeSessions'; sessions: { sessionId: string; backend: Backend }[] }
  | { type: 'composeReport' }
);
export type EffectType = Effect['type'];
export type EffectOf<T extends EffectType> = Extract<Effect, { type: T }>;

/** A command that checks a merge. */
export interface Check {
  kind: CommandKind;
  argv: string[];
  timeoutMs: number;
}

/** The files that a task may write, as globs. */
export interface TaskFiles {
  id: string;
  writeSet: string[];
}

/** Where the agent reads what conflicts, and the tasks of both sides. */
export interface ConflictNote {
  /** Absolute, in the lane's worktree. */
  path: string;
  /** Counts the lane's returns: each attempt begins with fresh files. */
  nth: number;
  ours: string;
  theirs: string;
}

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
  | {
      type: 'workCommitted';
      phaseId: string;
      attempt: number;
      work: CommittedWork;
      worktree?: WorktreeState;
      /** In a lane: whose work it is, the tip of the lane, and the changed paths outside its write set. */
      part?: { assignment: string; head: string; outside: string[] };
    }
  | { type: 'overlapsFound'; phaseId: string; attempt: number; ignoreCase: boolean; shared: SharedFiles[] }
  /** `head`: the lane with `main` in it. With conflicting paths it is unchanged. */
  | { type: 'lanePrepared'; phaseId: string; laneId: string; onto: string; head: string; conflicts: string[] }
  /** `work` is absent if the resolution was refused. */
  | {
      type: 'resolutionChecked';
      phaseId: string;
      laneId: string;
      assignment: string;
      onto: string;
      faults: string[];
      droppedTests: string[];
      committed?: { work: CommittedWork; head: string; outside: string[] };
    }
  | { type: 'mergeTested'; phaseId: string; test: MergeTest }
  | { type: 'mergeConflicted'; phaseId: string; laneId: string; head: string; base: string; paths: string[] }
  | {
      type: 'mergeLanded';
      phaseId: string;
      from: string;
      to: string;
      lanes: string[];
      flaky: string[];
      work: CommittedWork;
    }
  /** Somebody else moved `main`. */
  | { type: 'mergeRaced'; phaseId: string; from: string; now: string; lanes: string[] }
  | { type: 'worktreeRead'; key: string; worktree: WorktreeState }
  /** The command did not start, because the worktree differs from what was approved. */
  | { type: 'worktreeMoved'; key: string; worktree: WorktreeState }
  | { type: 'commandEnded'; commandId: string; exitCode: number | null; ok: boolean; reason: string }
  | { type: 'approvalExpired'; approvalRequestId: string; since: string }
  | { type: 'effectFailed'; key: string; error: ErrorRecord };

/** Existing files that two tasks may write. */
export interface SharedFiles {
  a: string;
  b: string;
  /** At most five examples. */
  files: string[];
  count: number;
}

/** `data`: the parsed content, if the effect asked for it. */
export type Validation =
  | { valid: true; storedPath: string; data?: unknown }
  | { valid: false; errors: ValidationError[] };

export type OutcomeOf<T extends Outcome['type']> = Extract<Outcome, { type: T }>;

/** An outcome that belongs to a phase and not to one of its assignments. */
export type PhaseOutcome = OutcomeOf<
  | 'workCommitted'
  | 'overlapsFound'
  | 'lanePrepared'
  | 'resolutionChecked'
  | 'mergeTested'
  | 'mergeConflicted'
  | 'mergeLanded'
  | 'mergeRaced'
>;
