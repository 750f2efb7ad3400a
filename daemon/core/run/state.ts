import type { Brought } from '../../../schemas/definitions/brought.ts';
import type { Binding, BindingOverride } from '../../../schemas/definitions/persona.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import type { Backend, LaneState, PhaseKind, RunPhaseState, RunState, SessionState } from '../../../schemas/enums.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import type { Behaviour, RunCreated, RunOptions, Stall } from '../../../schemas/events/run.ts';
import type { AutoGate } from '../../../schemas/gates/autoGates.ts';
import type { Ejection } from '../../../schemas/kinds/lanes/events.ts';
import type { AgentRights } from '../../../schemas/repository/agentSettings.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { Sandbox } from '../../../schemas/sandbox.ts';
import type { RecordedCheckoutChange } from '../../../schemas/worktreeState.ts';
import type { StateOfKind } from '../../kinds/states.ts';
import type { Approval, Decision } from './approval.ts';
import type { CommandRun } from './commandRun.ts';
import type { RunComment } from './comment.ts';
import type { Evaluation } from './evaluation.ts';
import type { AfterEnd, ExchangeState, Iteration, Published } from './exchangeState.ts';
import type { LaneSetup } from './laneSetup.ts';
import type { Message } from './message.ts';
import type { Nudge, Settled } from './nudge.ts';
import type { Titled } from './title.ts';
import type { WorktreeState } from './worktreeState.ts';

export type { Approval, Decision };

/** A validated or rejected artifact. */
export interface Artifact {
  id: string;
  phaseId: string;
  roleId: string;
  /** The key of the assignment. */
  assignment: string;
  laneId: string;
  attempt: number;
  path: string;
  schema: string;
  hash: string;
  valid: boolean;
  errors: ValidationError[] | null;
  storedPath: string | null;
  /** The parsed content, if later decisions depend on it. */
  data?: unknown;
  warnings?: ValidationError[];
  /** The gate at which a person wrote these bytes, and the token of that act. Absent: the agent wrote them. */
  edited?: { approvalRequestId: string; clientToken: string };
  createdAt: string;
}

/** One role instance asked for one artifact in one lane. */
export interface Assignment {
  /** Unique in the phase: the role instance, or the task. */
  key: string;
  roleId: string;
  laneId: string;
  sessionId: string;
  /** The attempt of the due or sent prompt. */
  attempt: number;
  /** `failed`: a recovery gate of this assignment is open. */
  status: 'to_prompt' | 'prompted' | 'validated' | 'invalid' | 'failed';
  /** A person's request at the recovery gate of this assignment. */
  changeRequest: string | null;
  /** The thing that the assignment repairs in its lane (`troubles.ts`); null for ordinary work. */
  because: string | null;
  /** The tip of `main` whose conflict with the lane it resolves; null for other work. */
  onto: string | null;
  /** The comments of a person that it answers with its artifact. */
  comments: string[];
  /** The commit of the assignment in its lane. Null before it, and if the phase commits for all. */
  work: CommittedWork | null;
  repairsUsed: number;
  /** Set while the due prompt asks to repair an invalid artifact. */
  repair: { path: string; errors: ValidationError[] } | null;
  /** Set while the due prompt repeats a prompt that had no result. */
  resend: 'timeout' | 'crash' | 'hung' | 'quota' | 'error' | null;
  /** The number of prompts that followed a turn of this assignment which ended with an error. */
  errors: number;
  /** A person's answers to turns that ended without the artifact, oldest first. */
  answers: string[];
  /** Set while the due prompt only reminds the agent of its work, or brings it the newest answer. */
  nudge: Nudge | null;
  /** devflow reminded the agent, and nobody has answered since. */
  reminded: boolean;
  /** The number of the session's conversation that has the whole prompt; null before the first. */
  askedIn: number | null;
  /** A person's answer about the due prompt, whose delivery was uncertain; null: nobody had to. */
  settled: Settled | null;
  prompt: { dedupKey: string; path: string; schema: string; since: string; timeoutMs: number } | null;
  artifact: Artifact | null;
}

export interface PhaseFacts {
  id: string;
  key: string;
  seq: number;
  state: RunPhaseState;
  attempts: number;
  startedAt: string | null;
  endedAt: string | null;
  changeRequest: string | null;
  assignments: Assignment[];
  gatesPassed: string[];
  /** The approved state that this attempt starts from; null without an approval. */
  from: WorktreeState | null;
  /** The commit of the newest attempt. */
  work: CommittedWork | null;
  /** All commits of the phase, of every attempt, oldest first. */
  commits: CommittedWork[];
  /** The progress that the agent of this attempt reports. */
  progress: { number: number; name: string; detail: string; at: string } | null;
  /** The number of such reports. */
  progressed: number;
}

/** A phase of one kind, with what only that kind has. */
export type PhaseOf<K extends PhaseKind> = PhaseFacts & { kind: K } & StateOfKind[K];

export type Phase = { [K in PhaseKind]: PhaseOf<K> }[PhaseKind];

export interface Session {
  id: string;
  roleId: string;
  laneId: string;
  backend: Backend;
  cwd: string;
  state: SessionState;
  /** Never decreases, because event keys contain it. */
  recoveryAttempts: number;
  /** `recoveryAttempts` when the budget was last full. */
  recoveryBase: number;
  /** A phase with `sessionBoundary` has begun, and the agent must start a new conversation first. */
  renews: boolean;
  /** Counts its conversations, from 1. */
  conversation: number;
  /** The number of `recoveryAttempts` that only started a new conversation. */
  renewals: number;
  /** The log can carry one `session.failed` for a session. */
  failedBefore: boolean;
  /** `hint`: what a person should do when devflow has no recovery left. */
  failure: { code: string; reason: string; hint?: string } | null;
  expectedArtifactPath: string | null;
  expectedSchema: string | null;
  lastPromptHash: string | null;
  lastPromptAt: string | null;
  /** The agent's current stall, and since when. */
  stall: (Stall & { since: string }) | null;
  /** The number of reports of stalls; part of event keys. */
  stalls: number;
}

/** A worktree with its branch. `main` always exists; a phase opens the others. */
export interface Lane {
  id: string;
  /** The phase that opened it; null for `main`. */
  phaseId: string | null;
  /** The role instance that works in it; null for `main`. */
  roleId: string | null;
  path: string;
  branch: string;
  /** It is a person's checkout, not a worktree of devflow. */
  isCheckout?: true;
  /** The tip of `main` that it builds on. */
  base: string;
  /** devflow's last commit in it; null before the first. */
  head: string | null;
  state: LaneState;
  /** Why it was abandoned; null otherwise. */
  endedBecause: string | null;
  /**
   * The number of times that a person took it up again, and what they said. `isAsked`: its agent was asked for
   * something since.
   */
  reopens: { nth: number; comment: string | null; isAsked: boolean }[];
  /** Why the merge queue sent it back, oldest first. */
  ejections: Ejection[];
  /** The progress of the set-up of its worktree; null before the first. */
  setup: LaneSetup | null;
}

/** A run, folded from its events alone, except `reportPath`. It has each fact of its start. */
export interface Run extends Omit<Record<keyof RunCreated, unknown>, keyof Titled>, Titled, AfterEnd {
  id: string;
  /** `behaviour.ts` explains the number. */
  behaviour: Behaviour;
  lastSeq: number;
  state: RunState;
  pausedFrom: RunState | null;
  /** A person paused the run, or a gate timed out: nothing new begins. */
  frozen: boolean;
  /** The number of pauses; part of the keys of pause and resume. */
  pauses: number;
  templateId: string;
  templateHash: string;
  template: Template;
  repoPath: string;
  /** git's common directory: all worktrees of a repository have the same. */
  repository: string;
  /** 0, unless the run was started beside another open one of its repository and base branch. */
  slot: number;
  /** The host that has the run's files and agents; null: that of the daemon that leads alone. */
  host: string | null;
  baseBranch: string;
  baseCommit: string;
  /** The newest commit of the change that a person wants reviewed; null if the run makes the change itself. */
  reviewHead: string | null;
  worktreeRoot: string;
  /** `WORKSPACE_ROOT` when the run was created. All its files stay there. */
  workspaceRoot: string;
  branch: string | null;
  /** The newest commit that devflow made on the branch. Phases that begin again commit after later ones. */
  lastCommit: string | null;
  objective: unknown;
  extra: Record<string, unknown> | null;
  inputHash: string;
  overrides: Record<string, BindingOverride>;
  options: RunOptions;
  /** The set-up of its worktrees; null: none. */
  setup: WorktreeSetup | null;
  /** The sandbox of its agents, and perhaps of its commands; null: none. */
  sandbox: Sandbox | null;
  /** Words before the command line of each agent; null: none. */
  wrap: string[] | null;
  /** The rights of its agents from the repository's own settings; null: none. */
  agentRights: AgentRights | null;
  /** The person's rules for gates of the template; null: none. */
  autoGates: AutoGate[] | null;
  /** It works in the person's checkout. */
  here: boolean;
  /** The run that must be applied or completed first; null: none. */
  after: string | null;
  /** The schedule that started it, and for which of its times; null: none. */
  schedule: NonNullable<RunCreated['schedule']> | null;
  /** Where a person moved it among the runs that wait for their beginning; null: nobody did. */
  rank: { nth: number; rank: string; isReleased: boolean } | null;
  /** The template that it began with, if another one follows: `template` then has the phases of both. Null: none. */
  continued: { before: string; clientToken: string } | null;
  bindings: Binding[];
  phases: Phase[];
  approvals: Approval[];
  /** What people said about lines, files and documents, oldest first. */
  comments: RunComment[];
  /** To its agents, beside the prompts of phases, oldest first. */
  messages: Message[];
  /** `main` first. */
  lanes: Lane[];
  sessions: Session[];
  artifacts: Artifact[];
  commands: CommandRun[];
  /** Changes in the person's checkout while agents worked, oldest first. */
  checkoutChanges: RecordedCheckoutChange[];
  /** Phases whose work was there when the run began. */
  skips: { phase: string; reason: string; evidence: string }[];
  /** The number of the feature cycle of the exchange `autodev`. */
  cycle: number;
  /** Artifact schemas and personas of drafts, which only this run has; null for none. */
  brought: Brought | null;
  /** The turns of `iterate`, oldest first. */
  iterations: Iteration[];
  /** The evaluations, oldest first; the first is of the state before any change. */
  evaluations: Evaluation[];
  /** By path, in the order in which they were first published. */
  published: Published[];
  /** The number of events about published files; part of event keys. */
  publications: number;
  /** The paths in the worktree that belong to the exchange, relative to it. No gate binds them. Directories end with a slash. */
  exchangePaths: string[];
  /** The files of the exchange that follow from the events; null without an exchange. */
  exchange: ExchangeState | null;
  /** The state that the last gate approved, until the next phase starts from it. */
  decided: WorktreeState | null;
  failure: { code: string; reason: string; hint?: string } | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  updatedAt: string;
  /** Where the final report was written. A mark on the row, not an event: writing it is best effort. */
  reportPath: string | null;
}
