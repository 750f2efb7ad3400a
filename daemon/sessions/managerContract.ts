import type { Backend } from '../../schemas/enums.ts';
import type { PromptEnvelope } from '../../schemas/envelope.ts';
import type { DevflowError } from '../../schemas/errors.ts';
import type { AgentStall, ProbeResult, SentPrompt, SessionHandle, StartInput } from './adapter.ts';
import type { Why } from './signals.ts';

export type LostListener = (sessionId: string, error: DevflowError) => void;
export type StallListener = (sessionId: string, stall: AgentStall | undefined) => void;

export interface RunningAgent {
  sessionId: string;
  roleId: string;
  /** The first process in its pane. */
  pid: number;
}

/** The directory is the manager's to know (`sessionDirOf`); the engine names the rest. */
export type SessionStart = Omit<StartInput, 'sessionDir' | 'adoptOnly'>;

/**
 * The live agents of this process, and the only caller of mutating adapter methods. What it holds is memory: after a
 * restart the engine asks for each open session again. It decides nothing and records no event.
 */
export interface SessionManager {
  /** Adopt-or-create; resolves when the agent can take a prompt, be it one that was adopted while it was starting. */
  start(input: SessionStart): Promise<SessionHandle>;
  /** Takes over an agent that outlived the daemon, as it is, and types nothing; recoverable error when there is none. */
  ensure(input: SessionStart): Promise<SessionHandle>;
  /** Delivers once, with two retries on recoverable errors. */
  sendPrompt(sessionId: string, envelope: PromptEnvelope): Promise<SentPrompt>;
  probe(sessionId: string): Promise<ProbeResult>;
  /** Looks, then resumes or bootstraps again; throws when the agent is not alive afterwards. */
  recover(sessionId: string, how: 'resume' | 'rebootstrap'): Promise<{ hint?: string }>;
  /**
   * Ends the agents of a run, and what is under way with them: a start or a delivery that waits for a person rejects with
   * `shutting_down`. Idempotent. `recorded` names the run's sessions by the database, so that agents which
   * outlived the last daemon, and were not asked for since, end too.
   */
  disposeRun(runId: string, recorded?: { sessionId: string; backend: Backend }[]): Promise<void>;
  /** Tells of agents that ended by themselves. Returns how to stop listening. */
  onLost(listener: LostListener): () => void;
  /**
   * Tells what keeps an agent from going on by itself, each time that changes, and `undefined` once it goes on; also
   * while it is being started. Returns how to stop listening.
   */
  onStall(listener: StallListener): () => void;
  /** What was told last of it; undefined also where nothing was. */
  stallOf(sessionId: string): AgentStall | undefined;
  /** The agents that run, as far as the manager knows. */
  running(): RunningAgent[];
  why(sessionId: string): Promise<Why>;
  /** Refuses new prompts, finishes what is under way, stores transcripts, lets the agents live on. Names what hung. */
  shutdown(options: { deadlineMs: number }): Promise<{ hung: string[] }>;
}
