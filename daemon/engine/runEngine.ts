import type { NewComment } from '../../schemas/comments/comment.ts';
import type { ApprovalDecisionAction, ApprovalState, RunState } from '../../schemas/enums.ts';
import type { Applied } from '../../schemas/events/run.ts';
import type { AdoptionCounts } from '../../schemas/rpc/views/session.ts';
import type { ContinueSignal } from '../core/continueRun.ts';
import type { Edit } from '../core/edits/editDocument.ts';
import type { CleanupRequest } from '../core/gates/cleanupGate.ts';
import type { MessageSignal } from '../core/messages/messageSignals.ts';
import type { Run } from '../core/run/state.ts';

type SignalOf<T extends MessageSignal['type']> = Extract<MessageSignal, { type: T }>;

/** What a decision says beside its comment. */
export interface DecisionMore {
  /** About lines, files and documents. */
  comments?: NewComment[];
  /** The hash of what the person was shown. */
  shown?: string;
}

/** Where a person wants a run among those that wait for a place. */
export type QueueTarget = 'first' | 'last' | { before: string } | { after: string };

export interface Moved {
  state: RunState;
  changed: boolean;
}

/** A server that does not answer. */
export interface ServerAway {
  /** When that was noticed, as an ISO time. */
  since: string;
  /** The end of a sentence about the server. */
  reason: string;
}

/** The server that says when effects begin. */
export interface EngineServer {
  address: string;
  namespace: string;
  /** Null while it answers. */
  away: ServerAway | null;
}

/** Drives runs: the local engine, or Temporal. `startRun.ts` starts runs. */
export interface RunEngine {
  /** Resumes every unfinished run. A restart uses the same path; there is no other recovery code. */
  reconcile(): Promise<{ runs: number }>;
  /**
   * Adopts a run whose first event is written. Resolves when its roles are bound, or when nothing of it can begin now; rejects if
   * they cannot be bound.
   */
  adopt(run: Run): Promise<void>;
  openRuns(): Run[];
  /** Undefined for an engine that needs none. */
  server(): EngineServer | undefined;
  /** Counts the agents of open runs that outlived the last daemon, and the fate of the others. */
  adoptionCounts(): AdoptionCounts;
  /** Resolves when the files of the run are as its events say. */
  settled(runId: string): Promise<void>;
  /** The run from memory, or from its log; undefined if there is no such run. */
  readRun(runId: string): Promise<Run | undefined>;
  signalApproval(
    runId: string,
    approvalRequestId: string,
    action: ApprovalDecisionAction,
    clientToken: string,
    comment?: string,
    more?: DecisionMore,
  ): Promise<{ decisionId: string; created: boolean; state: ApprovalState }>;
  /** Puts a person's version in place of a document. Returns the gate that shows it. */
  editDocument(
    runId: string,
    edit: Edit,
  ): Promise<{ approvalId: string; artifactId: string; hash: string; created: boolean }>;
  pauseRun(runId: string, reason?: string): Promise<Moved>;
  resumeRun(runId: string, reason?: string): Promise<Moved>;
  abortRun(runId: string, reason: string): Promise<Moved>;
  /** Moves a run in the queue. `release`: it waits for no other run any more. */
  moveRun(runId: string, move: { to: QueueTarget | undefined; release: boolean }): Promise<Moved>;
  skipPhase(runId: string, phaseKey: string, reason: string): Promise<Moved>;
  /** A person says that the work of an agent that they lead is finished. `now`: whatever the agent does. */
  finishWork(runId: string, now: boolean): Promise<Moved>;
  reopenLane(runId: string, laneId: string, comment: string | null): Promise<Moved>;
  recordProgress(runId: string, progress: { number: number; name: string; detail: string }): Promise<Moved>;
  /** Records that a branch of the person has the work of an ended run, unless that is known. */
  recordApplied(runId: string, applied: Applied): Promise<Moved>;
  /** Lets another template follow, as the signal says. Returns the run. */
  continueRun(runId: string, signal: Omit<ContinueSignal, 'type'>): Promise<Run>;
  /** Records a message to an agent of the run. Returns the run, as each of these does. */
  queueMessage(runId: string, message: Omit<SignalOf<'queueMessage'>, 'type'>): Promise<Run>;
  /** Takes a message back, unless its agent has it. A delivery under way ends first. */
  withdrawMessage(runId: string, messageId: string): Promise<Run>;
  settleMessage(runId: string, answer: Omit<SignalOf<'settleMessage'>, 'type'>): Promise<Run>;
  /** Opens the gate for a worktree with uncommitted work; returns its id. */
  askCleanup(runId: string, request: CleanupRequest): Promise<string>;
  stop(): Promise<void>;
}
