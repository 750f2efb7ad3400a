import type { Binding } from '../../../../schemas/definitions/persona.ts';
import type { Backend, CommandKind, ReviewScope } from '../../../../schemas/enums.ts';
import type { PromptEnvelope } from '../../../../schemas/envelope.ts';
import type { LaneHead, MergeTest } from '../../../../schemas/events/lanes.ts';
import type { Witness } from '../../../../schemas/events/review.ts';
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
      /** For an answer in a review: what must agree with it. */
      review?: ReviewCheck;
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
  /** Brings the worktrees of a review to the commit under review, and reads what changed. */
  | {
      type: 'prepareReview';
      phaseId: string;
      laneId: string;
      round: number;
      nth: number;
      main: LanePlace;
      base: string;
      head: string;
      /** The commit that was reviewed before. */
      from: string | null;
      /** Whose look is about what differs from there. */
      isDelta: boolean;
      /** The worktrees, and where the diffs go in them; empty if they have the commit already. */
      lanes: { place: LanePlace; change: string; fix: string }[];
      /** Assignments of reviewers: each gets other lines to quote. */
      seats: string[];
    }
  | { type: 'expireApproval'; approvalRequestId: string; since: string; timeoutMs: number }
  | { type: 'disposeSessions'; sessions: { sessionId: string; backend: Backend }[] }
  | { type: 'composeReport' }
);
export type EffectType = Effect['type'];
export type EffectOf<T extends EffectType> = Extract<Effect, { type: T }>;

/** What an answer in a review must agree with, besides its schema. */
export type ReviewCheck =
  | {
      what: 'look';
      place: LanePlace;
      head: string;
      base: string;
      scope: ReviewScope;
      witnesses: Witness[];
      prior: string[];
    }
  | { what: 'verdict'; place: LanePlace; head: string; asked: string[]; known: string[] }
  | { what: 'fix'; asked: string[] };

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
