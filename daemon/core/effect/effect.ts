import type { Manifest } from '../../../schemas/contracts/handover/manifest/manifest.ts';
import type { Binding } from '../../../schemas/definitions/persona.ts';
import type { Backend, CommandKind, PhaseKind, Recovery } from '../../../schemas/enums.ts';
import type { MessageEnvelope, PromptEnvelope } from '../../../schemas/envelope.ts';
import type { AgentRights } from '../../../schemas/repository/agentSettings.ts';
import type { Sandbox } from '../../../schemas/sandbox.ts';
import type { EffectOfKind } from '../../kinds/effects.ts';
import type { MeasuringCommand } from '../../kinds/evaluate/effect.ts';
import type { ReviewExpectation } from '../../kinds/review/effect.ts';
import type { LanePlace } from '../run/lanes.ts';
import type { SetupCheck } from '../run/setupCheck.ts';
import type { WorktreeState } from '../run/worktreeState.ts';
import type { SetupEffect } from './setupEffect.ts';

/** An artifact of an earlier phase that a prompt names. */
export interface Input {
  /** Absolute, as in the prompt. */
  path: string;
  /** devflow writes the bytes of this artifact there before it sends the prompt. */
  artifact: { path: string; storedPath: string | null; hash: string };
  /** Hashes of its earlier versions: a copy with one of them is old, and nobody changed it. */
  earlier: string[];
}

/** The rights of a run's agents. Their files are those of the base commit. */
export interface SessionRights {
  allowed: AgentRights;
  baseCommit: string;
  /** devflow keeps the files there that hooks and servers run. */
  directory: string;
}

export interface SessionStart {
  sessionId: string;
  runId: string;
  repoPath: string;
  roleId: string;
  /** The title of the run. */
  title: string;
  laneId: string;
  /** The worktree that the agent works in, and where to restore it from. */
  lane: LanePlace;
  backend: Backend;
  cwd: string;
  binding: Binding;
  /** Absent: its program runs without a sandbox. */
  sandbox?: Sandbox;
  /** Words before its command line. */
  wrap?: string[];
  /** The rights from the repository's own settings, and where their files are. Absent: none. */
  rights?: SessionRights;
  /** Counts recoveries: each restart of the agent is a new incarnation of the session. */
  recoveryAttempts: number;
  /** Added to its environment. */
  env?: Record<string, string>;
  /** A person leads it. */
  isLed?: true;
}

/**
 * One thing that must happen next. Its `key` is derived from the run's state. Effects with the same key are the same
 * effect: doing it twice equals doing it once.
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
      setup?: SetupCheck;
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
      /** True if later decisions depend on the content. */
      wantsData: boolean;
      /** For an artifact of a review: what it must agree with. */
      review?: ReviewExpectation;
      /** For the draft of a template: the facts that its commands come from. */
      facts?: Input['artifact'];
      /** The file with its agent's answers to the comments of a person. */
      answers?: { path: string; comments: string[]; isTurnOver: boolean };
      /** ISO time from which `timeoutMs` counts. */
      since: string;
      /** Null while the agent is stalled: a stall has no deadline. */
      timeoutMs: number | null;
    }
  | {
      type: 'recoverSession';
      session: SessionStart;
      how: Recovery;
      /** Only a message needs the agent; the run waits for nothing of it. */
      forMessage?: true;
    }
  /** Brings a text to an agent at rest. It can be given up until it is typed. */
  | {
      type: 'sendMessage';
      session: SessionStart;
      message: MessageEnvelope;
      /** A person's answer, after an uncertain delivery: whether the agent has it. */
      assumeTaken?: boolean;
      /** The number of that answer. */
      answer?: number;
    }
  | {
      type: 'commitWork';
      phaseId: string;
      phaseKey: string;
      attempt: number;
      lane: LanePlace;
      since: string;
      title: string;
      /** The artifact whose summary names the commit. Absent: `title` does. */
      about?: Input['artifact'];
      /** In a lane: its assignment, its write set, and the tip of `main` that it builds on. */
      part?: { assignment: string; writeSet: string[]; base: string };
      /** True if a gate binds the worktree after the commit. */
      bindsWorktree: boolean;
      hasGate: boolean;
      /** Paths that no gate binds. */
      except?: string[];
      /** True if the outcome must name the changed files. */
      wantsChanges?: boolean;
      /** The steps of the plan that the phase carries out. devflow compares them with the changes since a commit. */
      manifests?: { since: string; steps: ManifestStep[] };
      /** The steps of the plan whose files become commits of their own. */
      eachStep?: { step: number; title: string; paths: string[] }[];
    }
  /** Reads the state that a gate will bind, or that the next phase compares with what was approved. */
  | {
      type: 'inspectWorktree';
      phaseId: string;
      repoPath: string;
      worktree: string;
      branch: string;
      /** The run's base commit, if the worktree is a person's checkout: then its files are read as a snapshot. */
      checkoutBase?: string;
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
      /** Set if a file goes back to its place: the version to compare with what is there now. */
      restores?: PublishedFile;
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
      /** Absent: it runs without a sandbox. */
      sandbox?: Sandbox;
      /** Directory of its output and status files. */
      dir: string;
      startedAt: string;
      timeoutMs: number;
      /** The first command after a gate must run on what was approved. */
      from: { approved: WorktreeState; repoPath: string; branch: string; except: string[] } | null;
      /** For a command that measures apart from the agents. */
      measuring?: MeasuringCommand;
      setup?: SetupCheck;
    }
  | EffectOfKind[PhaseKind]
  | SetupEffect
  | { type: 'expireApproval'; approvalRequestId: string; since: string; timeoutMs: number }
  /** Reads what the person's rules for a gate ask about. */
  | { type: 'checkRule'; approvalRequestId: string }
  /** Commits the last files of an exchange, once the run has ended. */
  | {
      type: 'deliverFiles';
      lane: LanePlace;
      since: string;
      files: Readonly<Record<string, string>>;
      sessions: { sessionId: string; backend: Backend }[];
    }
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
  /** The path of a copy, if another file that meets the contract has its place. */
  storedPath: string;
}
