import type { Backend, PermissionMode, StallCause } from '../../../schemas/enums.ts';
import type { Envelope } from '../../../schemas/envelope.ts';
import type { MessageProof } from '../../../schemas/events/message.ts';
import type { GrantedRights } from '../../../schemas/repository/programRights.ts';
import type { Sandbox } from '../../../schemas/sandbox.ts';

export interface SentPrompt {
  promptId: string;
  /** Why the agent counts as having it. */
  proof: MessageProof;
  /** The program that took the prompt has ended. The current program does not work on it. */
  takerEnded?: boolean;
}

/** `typed`: the agent has it, or gets it. `in doubt`: only a person can say so. */
export type TypedSoFar = 'nothing' | 'typed' | 'in doubt';

export interface SendOptions {
  /**
   * A person's answer to `delivery_uncertain`. `true`: the agent took the prompt, so nothing is typed. `false`: it did
   * not, so the prompt is pasted again. Without an answer nothing is pasted again.
   */
  assumeTaken?: boolean;
  /** The number of that answer. The same one counts once, also if it comes again after a kill. */
  answer?: number;
  /**
   * Ends the wait for a free agent while nothing is typed; then `sendPrompt` throws its reason. With it, the wait has no
   * time-out: what is sent is no reason to restart a busy agent.
   */
  giveUp?: AbortSignal;
}

/**
 * The contract of every backend. The suite `test/helpers/adapterContract.ts` runs against each implementation. Only the
 * session manager calls the methods that change something, one at a time for each session.
 *
 * Failures are `DevflowError`s. Recoverable ones (`prompt_send_transient`, `pane_briefly_unresponsive`) ask for a retry
 * or a recovery. A person must act on `backend_unavailable` and `delivery_uncertain`.
 */
export interface SessionAdapter {
  /**
   * Adopts or creates the agent of `sessionId`. It adopts a running agent, or one that left its mark in `sessionDir`,
   * together with its unfinished work. Otherwise it starts the agent and sends the prelude. Resolves when the agent can
   * take a prompt or is working. With `adoptOnly` it resolves as soon as the agent is watched again, in any state.
   */
  start(input: StartInput): Promise<SessionHandle>;

  /**
   * Delivers the envelope exactly once. If the session has ever taken this `dedupKey`, also in an earlier process, it
   * delivers nothing. It then returns the first promptId. It throws if the agent did not take the prompt, so the same
   * envelope may be sent again. After `delivery_uncertain` only a person can say whether the agent took it.
   */
  sendPrompt(handle: SessionHandle, envelope: Envelope, options?: SendOptions): Promise<SentPrompt>;

  /** True if the agent took the prompt, or devflow began to give it to the agent. Absent: nobody knows. */
  hasPrompt?(sessionId: string, envelope: Pick<Envelope, 'uuid' | 'dedupKey'>): boolean;

  /** How far devflow came with it, also for an agent that does not run. Absent: no daemon dies while the agent takes it. */
  typedOf?(
    session: { sessionId: string; sessionDir: string },
    envelope: Pick<Envelope, 'uuid' | 'dedupKey'>,
  ): TypedSoFar;

  /** Looks and changes nothing. For a dead or unknown agent it returns `alive: false` and does not throw. */
  probe(handle: SessionHandle): Promise<ProbeResult>;

  /**
   * Restarts the agent in the same conversation, with its unfinished work. If the conversation is gone, a new one begins
   * (`hasLostConversation`). Harmless for a living agent.
   */
  resume(handle: SessionHandle): Promise<SessionHandle>;

  /**
   * True if the agent's conversation has none of the prompts that the session took. The program could not resume the one
   * that has them. Adapters that never lose a conversation leave it out.
   */
  hasLostConversation?(sessionId: string): boolean;

  /**
   * Starts a new conversation in the same session: sends the prelude again, drops unfinished work, keeps old dedup
   * keys.
   */
  rebootstrap(handle: SessionHandle): Promise<SessionHandle>;

  /**
   * The agent's output after `from`, then new output, until `release` or `dispose`. It continues across `resume` and
   * `rebootstrap`. `seq` counts from 1 without gaps since this process attached. It is a position in the stream, not
   * the number of a stored chunk. The caller asks for the next chunk when it has taken the last one.
   *
   * An adapter that `streams` takes a byte offset into everything that the session's programs ever printed, also
   * without a daemon. Its chunks carry `bytes` and `endOffset`, `seq` equals `endOffset`, and marks stand where they
   * belong. Offsets never change. Nothing is read before the caller asks for it.
   */
  capture(handle: SessionHandle, from: bigint): AsyncIterable<TranscriptChunk>;

  /** True if the output is stored outside this process, so that `capture` takes byte offsets. */
  readonly streams?: boolean;

  /** Only of an adapter that streams. Output before this offset is safely stored and may be deleted. */
  forgetOutput?(handle: SessionHandle, before: bigint): Promise<void>;

  /**
   * Calls the listener when the agent ends unasked, never after `release` or `dispose`; also across `resume` and
   * `rebootstrap`. Returns how to stop listening.
   */
  onExit(handle: SessionHandle, listener: (exit: AgentExit) => void): () => void;

  /**
   * Calls the listener when the stall of any held session changes; with `undefined` when the agent continues. The first
   * call comes as soon as the state is known. So it also reports changes made while no daemon ran. Returns how to stop
   * listening.
   */
  onStall?(listener: StallListener): () => void;

  /** The stall that was last reported for a session; undefined for none, and after the agent's end. */
  stallOf?(sessionId: string): AgentStall | undefined;

  /** What the agent said last, as far as its program or its screen tells; undefined without either. Changes nothing. */
  lastWords?(sessionId: string): Promise<LastWords | undefined>;

  /** Tells when the session's turn is over; absent or undefined where the program cannot prove it. */
  turnOf?(sessionId: string): Turn | undefined;

  /** Ends what the agent started since its first prompt and left running, but not the agent. */
  endLeftovers?(sessionId: string): Promise<void>;

  /**
   * Detaches without ending the agent: no timers, files or listeners remain. `start` can adopt it later. Idempotent.
   */
  release(handle: SessionHandle): Promise<void>;

  /** Ends the agent. Idempotent, also for an unknown handle. */
  dispose(handle: SessionHandle): Promise<void>;

  /** Where a person finds the agent's pane, dead or alive; undefined if there is none. Changes nothing. */
  attachPoint?(sessionId: string): Promise<AttachPoint | undefined>;

  /** The facts on which this adapter decides, oldest first, for `devflow why`. */
  explain?(handle: SessionHandle): Promise<SessionSignal[]>;
}

/** `record`: its program said so at the end of a turn. `screen`: the last rows above its composer. */
export interface LastWords {
  text: string;
  at: Date;
  by: 'record' | 'screen';
}

/** The turn that works on the newest prompt. */
export interface Turn {
  /**
   * The end of the turn by the machine's clock; undefined without proof. Proof needs the program's own report that
   * nothing contradicts. No process of the session that could still write may run.
   */
  endedAt(): Promise<number | undefined>;
  /** Calls the listener when that may have changed. Returns how to stop listening. */
  listen(listener: () => void): () => void;
}

export type StallListener = (sessionId: string, stall: AgentStall | undefined) => void;

export interface StartInput {
  /** Derived by the engine from the run, the role instance and the lane. Sessions are found again by it. */
  sessionId: string;
  runId: string;
  /** The person's repository. It is part of the tmux session's name. */
  repoPath: string;
  roleId: string;
  /** What its run is called now: part of the name of a new window. */
  title?: string;
  /** Where it works: `main`, or a lane of the run. */
  laneId: string;
  backend: Backend;
  /** The agent's worktree. */
  cwd: string;
  /** devflow's own absolute directory for this session, outside the worktree. Created if missing. */
  sessionDir: string;
  /** Sent once when an agent is created or bootstrapped again; see `prelude.ts`. */
  prelude?: string;
  /** The persona's model settings, for backends that have any. */
  modelConfig?: Record<string, unknown>;
  /** Default: `execute`. */
  permissionMode?: PermissionMode;
  /** Added to the environment of its program. */
  env?: Record<string, string>;
  /** Absent: its programs run without a sandbox. */
  sandbox?: AgentSandbox;
  /** Words of the person before its command line. `{{worktree}}` and `{{session}}` in them stand for its directories. */
  wrap?: readonly string[];
  /**
   * The rights that the repository's own settings give, called before each start of the program. Absent: none. Throws if
   * they are not what a person allowed.
   */
  rights?(): Promise<GrantedRights>;
  /** A person leads it, and also writes in its pane: it is idle after any turn, and before the first. */
  isLed?: true;
  /** Adopt only: create nothing and type nothing. Throws `pane_briefly_unresponsive` if there is no agent to adopt. */
  adoptOnly?: boolean;
}

/** The sandbox of an agent. */
export interface AgentSandbox {
  wish: Sandbox;
  /** Where its worktree belongs, for its git. Absent: the worktree has a repository of its own, or none. */
  worktree?: { repoPath: string; path: string; branch: string; head?: string };
}

export interface SessionHandle {
  sessionId: string;
  pid?: number;
  tmuxSession?: string;
  tmuxWindow?: string;
  tmuxPane?: string;
  /** As in `StartInput`: where to find the records of an agent that this process does not hold. */
  sessionDir?: string;
}

/** tmux's own ids (`$N`, `@N`, `%N`) on the server of that socket. */
export interface AttachPoint {
  /** Name or path of the tmux program for that server. */
  binary: string;
  socket: string;
  session: string;
  window: string;
  paneId: string;
}

export interface ProbeResult {
  alive: boolean;
  /** True while the agent works. */
  paneActive: boolean;
  lastOutputAt?: Date;
  /** `READY`, `BUSY <reason>`, or why the agent is dead. */
  hint?: string;
  stall?: AgentStall;
}

export interface TranscriptChunk {
  seq: bigint;
  /** The output as text; empty if there are `bytes` or a `mark`. */
  content: string;
  capturedAt: Date;
  bytes?: Buffer;
  /** Where the chunk ends in the session's stream, or where the mark stands. */
  endOffset?: bigint;
  mark?: TranscriptMark;
}

/** Between two bytes of a stream: the pane's size from there on, or a loss of output. */
export type TranscriptMark = ({ kind: 'resize'; columns: number; rows: number } | { kind: 'gap'; reason: string }) & {
  /** Its number among the marks of its kind at its offset, from 1, so that it is stored once. */
  nth: number;
};

export interface AgentExit {
  reason: string;
  exitCode?: number;
}

export interface AgentStall {
  cause: StallCause;
  /** The agent's need, in words for a person. */
  detail: string;
  /** When the stall ends by itself, or when a retry is worthwhile. */
  until?: Date;
  /** The turn has not ended: the agent continues without a prompt at `until`. */
  resumesItself?: true;
}

/** One observed fact about a session. */
export interface SessionSignal {
  at: Date;
  source: string;
  fact: string;
}
