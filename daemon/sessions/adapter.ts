import type { Backend, PermissionMode, StallCause } from '../../schemas/enums.ts';
import type { PromptEnvelope } from '../../schemas/envelope.ts';

export interface SentPrompt {
  promptId: string;
  /** The program that took the prompt has ended since. The present program does not work on it. */
  takerEnded?: boolean;
}

/**
 * What every backend does for devflow. The contract suite (`test/helpers/adapterContract.ts`) runs against
 * every implementation. Only the session manager calls the mutating methods, one at a time for each session.
 *
 * Failures are `DevflowError`s: recoverable (`prompt_send_transient`, `pane_briefly_unresponsive`) when trying again
 * or recovering the agent may help, `backend_unavailable` when a person must act.
 */
export interface SessionAdapter {
  /**
   * Adopt-or-create by `sessionId`: what already runs, or has left its mark in `sessionDir`, is taken over with its
   * unfinished work; else the agent is started and given its prelude. Resolves when the agent can take a prompt or is at
   * work; with `adoptOnly` as soon as it is watched again, however it stands.
   */
  start(input: StartInput): Promise<SessionHandle>;

  /**
   * Delivers the envelope exactly once. A `dedupKey` that this session has taken before, in this process or an earlier
   * one, delivers nothing and returns the first promptId. Throwing means the agent did not take it, so the same
   * envelope may be sent again.
   */
  sendPrompt(handle: SessionHandle, envelope: PromptEnvelope): Promise<SentPrompt>;

  /** Looks, and changes nothing. Never throws for an agent that is dead or unknown: that is `alive: false`. */
  probe(handle: SessionHandle): Promise<ProbeResult>;

  /** Brings the same conversation back to life; unfinished work goes on. Harmless on an agent that is alive. */
  resume(handle: SessionHandle): Promise<SessionHandle>;

  /** Starts a new conversation under the same session: prelude again, unfinished work dropped, old dedup keys kept. */
  rebootstrap(handle: SessionHandle): Promise<SessionHandle>;

  /**
   * The agent's output after `fromSeq`, then as it comes, until `release` or `dispose`; it goes on across `resume` and
   * `rebootstrap`. `seq` counts from 1 without a gap since this process attached to the session: it is a position in
   * the stream, not the number under which a chunk is stored. Asking for the next chunk says the last one was taken.
   *
   * Of an adapter that `streams`: the bytes from that offset on of all that the session's programs ever printed, also
   * while no daemon ran, in chunks that carry `bytes` and `endOffset`, with `seq` equal to it, and marks where they
   * belong. An offset stays the same for ever. Nothing is read before it is asked for.
   */
  capture(handle: SessionHandle, from: bigint): AsyncIterable<TranscriptChunk>;

  /** True when what the agent prints is kept outside this process, so that `capture` takes byte offsets. */
  readonly streams?: boolean;

  /** Of an adapter that streams: what was printed before that offset is stored for good and may be deleted. */
  forgetOutput?(handle: SessionHandle, before: bigint): Promise<void>;

  /**
   * Tells of an agent that ended by itself (never of `release` or `dispose`); goes on across `resume` and
   * `rebootstrap`. Returns how to stop listening.
   */
  onExit(handle: SessionHandle, listener: (exit: AgentExit) => void): () => void;

  /**
   * Tells what keeps the agent from going on by itself, each time that changes, and `undefined` once it goes on; the first
   * time as soon as it is known how it stands, so that what changed while no daemon ran is told too. Goes on across
   * `resume` and `rebootstrap`. Returns how to stop listening.
   */
  onStall?(handle: SessionHandle, listener: (stall: AgentStall | undefined) => void): () => void;

  /** Lets go without ending the agent: no timers, files or listeners are left. `start` adopts it later. Idempotent. */
  release(handle: SessionHandle): Promise<void>;

  /** Ends the agent. Idempotent, also for a handle that is unknown. */
  dispose(handle: SessionHandle): Promise<void>;

  /** Where a person finds the agent's pane, dead or alive; undefined when there is none. Only looks. */
  attachPoint?(sessionId: string): Promise<AttachPoint | undefined>;

  /** The facts this adapter goes by, oldest first, for `devflow why`. */
  explain?(handle: SessionHandle): Promise<SessionSignal[]>;
}

export interface StartInput {
  /** Derived by the engine from the run and the role: the name by which a session is found again. */
  sessionId: string;
  runId: string;
  /** The person's repository; a part of the name that they see. */
  repoPath: string;
  roleId: string;
  backend: Backend;
  /** The agent's worktree. */
  cwd: string;
  /** Absolute directory of devflow's own for this session, outside the worktree. Created when missing. */
  sessionDir: string;
  expectedArtifactPath?: string;
  expectedSchema?: string;
  /** Said once when an agent is created or bootstrapped again; made by `prelude.ts`. */
  envelopePrelude?: string;
  /** The persona's model settings, for the backends that have any. */
  modelConfig?: Record<string, unknown>;
  /** `execute` where nothing is said. */
  permissionMode?: PermissionMode;
  /** Take over what exists, create and say nothing; `pane_briefly_unresponsive` when there is nothing to adopt. */
  adoptOnly?: boolean;
}

export interface SessionHandle {
  sessionId: string;
  pid?: number;
  tmuxSession?: string;
  tmuxWindow?: string;
  tmuxPane?: string;
  /** As in `StartInput`: where the records of an agent are that this process may not hold. */
  sessionDir?: string;
}

/** tmux's own names: `$N`, `@N`, `%N`, on the server of that socket. */
export interface AttachPoint {
  /** Name or path of the tmux program that speaks with that server. */
  binary: string;
  socket: string;
  session: string;
  window: string;
  paneId: string;
}

export interface ProbeResult {
  alive: boolean;
  /** True while the agent works at something by itself. */
  paneActive: boolean;
  lastOutputAt?: Date;
  /** `READY`, `BUSY <reason>`, or why it is not alive. */
  hint?: string;
  stall?: AgentStall;
}

export interface TranscriptChunk {
  seq: bigint;
  /** What was printed, where it is text; empty when there are `bytes` or a `mark`. */
  content: string;
  capturedAt: Date;
  bytes?: Buffer;
  /** Where in the session's stream the chunk ends, or the mark stands. */
  endOffset?: bigint;
  mark?: TranscriptMark;
}

/** Between two bytes of a stream: the size of the pane from there on, or that output was lost. */
export type TranscriptMark = ({ kind: 'resize'; columns: number; rows: number } | { kind: 'gap'; reason: string }) & {
  /** Which it is of its kind at its offset, from 1, so that it is stored once. */
  nth: number;
};

export interface AgentExit {
  reason: string;
  exitCode?: number;
}

export interface AgentStall {
  cause: StallCause;
  /** Of what it waits for, for a person. */
  detail: string;
  /** When it ends by itself, or is worth another try. */
  until?: Date;
  /** Its turn has not ended: it goes on by itself then. */
  resumesItself?: true;
}

/** One observed fact about a session. */
export interface SessionSignal {
  at: Date;
  source: string;
  fact: string;
}
