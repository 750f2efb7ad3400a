import type { Manifest } from '../../../../schemas/contracts/handover/manifest.ts';
import type { Binding } from '../../../../schemas/definitions/persona.ts';
import type { Backend, CommandKind, Recovery, ReviewScope, Step } from '../../../../schemas/enums.ts';
import type { PromptEnvelope } from '../../../../schemas/envelope.ts';
import type { LaneHead, MergeTest } from '../../../../schemas/events/lanes.ts';
import type { Witness } from '../../../../schemas/events/review.ts';
import type { EvaluationEffect } from './evaluationEffect.ts';
import type { LanePlace } from './lanes.ts';
import type { WorktreeState } from './worktreeState.ts';

/** An artifact of an earlier phase that a prompt names. */
export interface Input {
  /** Absolute, as in the prompt. */
  path: string;
  /** devflow writes the bytes of this artifact there before it sends the prompt. */
  artifact: { path: string; storedPath: string | null; hash: string };
  /** Hashes of its earlier versions: a copy with one of them is old, and nobody changed it. */
  earlier: string[];
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
      /** A person's answer, after an uncertain delivery: whether the agent has the prompt. */
      assumeTaken?: boolean;
      /** The number of that answer in the run. */
      answer?: number;
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
      /** For an artifact of a review: what it must agree with. */
      review?: ReviewExpectation;
      /** For the draft of a template: the facts that its commands come from. */
      facts?: Input['artifact'];
      /** ISO time from which `timeoutMs` counts. */
      since: string;
      /** Null while the agent is stalled: a stall has no deadline. */
      timeoutMs: number | null;
    }
  | {
      type: 'performStep';
      phaseId: string;
      attempt: number;
      step: Step;
      lane: LanePlace;
      baseCommit: string;
      /** When the phase began. */
      since: string;
      /** For the output of programs that the step runs, and the files that they read. */
      dir: string;
      path: string;
      storedPath: string;
      schema: string;
      /** The valid artifacts that the step reads, by schema. */
      inputs: Readonly<Record<string, Input['artifact']>>;
    }
  | { type: 'recoverSession'; session: SessionStart; how: Recovery }
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
      /** Paths that no gate binds. */
      except?: string[];
      /** Whether the names of the changed files are wanted. */
      wantsChanges?: boolean;
      /** Of the plan that the phase carries out: devflow compares them with what changed since a commit. */
      manifests?: { since: string; steps: ManifestStep[] };
    }
  /** Reads the state that a gate will bind, or that the next phase compares with what was approved. */
  | {
      type: 'inspectWorktree';
      phaseId: string;
      repoPath: string;
      worktree: string;
      branch: string;
      lastKnown: string;
      /** Paths that do not count. */
      except: string[];
      /** Files that the next phase reads, to compare with what devflow published. */
      published: PublishedFile[];
    }
  /** Writes an artifact where its contract expects it. */
  | {
      type: 'publishArtifact';
      phaseId: string;
      assignment: string;
      contract: string;
      lane: LanePlace;
      /** Relative to the worktree. */
      path: string;
      bytes: { path: string; storedPath: string; hash: string };
      /** The hash of what may be there; null if nothing should be. */
      over: string | null;
    }
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
      /** Added to its environment. */
      env?: Record<string, string>;
      /** Directory of its output and status files. */
      dir: string;
      startedAt: string;
      timeoutMs: number;
      /** The first command after a gate must run on what was approved. */
      from: { approved: WorktreeState; repoPath: string; branch: string; except: string[] } | null;
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
      writeSet: string[];
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
  /**
   * Merges lanes onto a base without a checkout, and runs the checks at the resulting tree. Without lanes it runs the checks at
   * base, as a review does.
   */
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
      /** True if the look is only at what changed since `from`. */
      isDelta: boolean;
      /** The worktrees of the readers; empty if they have the commit already. */
      lanes: LanePlace[];
      /** The keys of the reviewers' assignments: each gets other lines to quote. */
      assignments: string[];
    }
  | EvaluationEffect
  | { type: 'expireApproval'; approvalRequestId: string; since: string; timeoutMs: number }
  | { type: 'disposeSessions'; sessions: { sessionId: string; backend: Backend }[] }
  | { type: 'composeReport' }
);
export type EffectType = Effect['type'];
export type EffectOf<T extends EffectType> = Extract<Effect, { type: T }>;

/** A step of a plan, and what it promises. */
export interface ManifestStep {
  step: number;
  manifest: Manifest;
}

/** A file that devflow published. */
export interface PublishedFile {
  contract: string;
  /** Relative to the worktree. */
  path: string;
  sha256: string;
  /** Where a copy goes if there is something else that keeps to the contract. */
  storedPath: string;
}

/** What an artifact of a review must agree with, besides its schema. */
export type ReviewExpectation =
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

/** A command that checks a merge or a reviewed commit. */
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
