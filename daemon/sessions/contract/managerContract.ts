import type { Backend, Recovery } from '../../../schemas/enums.ts';
import type { Envelope } from '../../../schemas/envelope.ts';
import type { DevflowError } from '../../../schemas/errors.ts';
import type {
  AgentStall,
  LastWords,
  ProbeResult,
  SendOptions,
  SentPrompt,
  SessionHandle,
  StallListener,
  StartInput,
  Turn,
  TypedSoFar,
} from './adapter.ts';
import type { Why } from './signals.ts';

export type LostListener = (sessionId: string, error: DevflowError) => void;

export interface RunningAgent {
  sessionId: string;
  roleId: string;
  /** The first process in its pane. */
  pid: number;
}

/** The manager knows the directory (`sessionDirOf`); the engine supplies the rest. */
export type SessionInput = Omit<StartInput, 'sessionDir' | 'adoptOnly'>;

/** Which session, and which adapter ends its agent. */
export interface SessionRef {
  sessionId: string;
  backend: Backend;
}

/**
 * The live agents of this process, and the only caller of adapter methods that change something. It holds them in
 * memory only: after a restart the engine asks for each open session again. It decides nothing and records no event.
 */
export interface SessionManager {
  /**
   * Adopts or creates the agent. Resolves when the agent can take a prompt, also if it was adopted during its start.
   */
  start(input: SessionInput): Promise<SessionHandle>;
  /**
   * Adopts an agent that outlived the daemon, in any state, and types nothing. Throws a recoverable error if there is
   * none.
   */
  ensure(input: SessionInput): Promise<SessionHandle>;
  /**
   * Delivers once, with two retries after recoverable errors. `delivery_uncertain` is not retried: a person answers by
   * `assumeTaken`.
   */
  sendPrompt(sessionId: string, envelope: Envelope, options?: SendOptions): Promise<SentPrompt>;
  /** True if the agent took the prompt, or devflow began to give it to the agent. */
  hasPrompt(sessionId: string, envelope: Pick<Envelope, 'uuid' | 'dedupKey'>): boolean;
  /** How far devflow came with giving it to the agent, also in an earlier process. Asks no living agent. */
  typedOf(runId: string, session: SessionRef, envelope: Pick<Envelope, 'uuid' | 'dedupKey'>): TypedSoFar;
  probe(sessionId: string): Promise<ProbeResult>;
  /**
   * Probes, then resumes or bootstraps again. Throws if the agent is not alive afterwards. Returns how it went: a
   * conversation that cannot be resumed is replaced by a new one.
   */
  recover(sessionId: string, how: Recovery): Promise<{ how: Recovery; hint?: string }>;
  /**
   * Ends the agents of these sessions, also agents that an earlier daemon started. A start or delivery that waits for a
   * person rejects with `shutting_down`. Idempotent.
   */
  endAgents(runId: string, sessions: readonly SessionRef[]): Promise<void>;
  /** Ends all agents of a run: those that the manager holds, and those of `recorded`. */
  disposeRun(runId: string, recorded?: readonly SessionRef[]): Promise<void>;
  /** Ends what the agents of a run started and left running, but not the agents. */
  endLeftovers(runId: string): Promise<void>;
  /** Calls the listener when an agent ends unasked. Returns how to stop listening. */
  onLost(listener: LostListener): () => void;
  /**
   * Calls the listener when an agent's stall changes, also during its start; with `undefined` when the agent continues.
   * Returns how to stop listening.
   */
  onStall(listener: StallListener): () => void;
  /** The stall that was last reported; undefined if there is none. */
  stallOf(sessionId: string): AgentStall | undefined;
  /** What the agent said last; undefined if nobody knows. */
  lastWords(sessionId: string): Promise<LastWords | undefined>;
  /** Tells when the agent's turn is over; undefined where its program cannot prove it. */
  turnOf(sessionId: string): Turn | undefined;
  /** The agents that run, as far as the manager knows. */
  running(): RunningAgent[];
  /** `isAtWork` false: the run expects nothing of the agent, so the end of its turn is no stall. */
  why(sessionId: string, expected?: { isAtWork: boolean }): Promise<Why>;
  /**
   * Refuses new prompts, finishes the current ones, stores transcripts and leaves the agents running. Returns the
   * sessions that hung.
   */
  shutdown(options: { deadlineMs: number }): Promise<{ hung: string[] }>;
}
