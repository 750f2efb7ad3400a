import type { PromptEnvelope } from '../../../schemas/envelope.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type {
  AgentExit,
  AgentStall,
  AttachPoint,
  ProbeResult,
  SentPrompt,
  SessionAdapter,
  SessionHandle,
  SessionSignal,
  StartInput,
  TranscriptChunk,
} from '../adapter.ts';
import type { AgentOptions } from './agentOptions.ts';
import { endSession } from './process/endSession.ts';
import { listAgentPanes } from './server/panes.ts';
import { toServerError } from './server/serverError.ts';
import { TmuxAgent } from './tmuxAgent.ts';

type StallListener = (stall: AgentStall | undefined) => void;

/**
 * Agents in tmux panes, one backend's program each: they outlive the daemon, and what they print and tell is kept in
 * files of the session's directory meanwhile.
 */
export class TmuxSessionAdapter implements SessionAdapter {
  readonly streams = true;
  readonly #options: AgentOptions;
  readonly #agents = new Map<string, TmuxAgent>();
  readonly #stallListeners = new Map<string, Set<StallListener>>();

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  async start(input: StartInput): Promise<SessionHandle> {
    const known = this.#agents.get(input.sessionId);
    if (known?.isAlive) {
      if (!input.adoptOnly) await known.ready();
      return known.handle();
    }
    const agent = known ?? new TmuxAgent(input, this.#options, (stall) => this.#reportStall(input.sessionId, stall));
    // At once: who lets go of the session while it is looked for must find it.
    this.#agents.set(input.sessionId, agent);
    const isThere = !known && (await this.#adopt(agent, input.sessionId));
    if (!isThere && input.adoptOnly) {
      // Deaf to the end of its terminal, it would work on unseen.
      await agent.endLeftovers();
      if (!known) await this.#forget(agent, input.sessionId);
      throw new DevflowError('pane_briefly_unresponsive', `There is no live agent of session ${input.sessionId}.`);
    }
    if (!isThere) await agent.launch(agent.canBeResumed ? 'resume' : 'new');
    else if (!input.adoptOnly) await agent.ready();
    return agent.handle();
  }

  async #adopt(agent: TmuxAgent, sessionId: string): Promise<boolean> {
    try {
      return await agent.adopt();
    } catch (error) {
      await this.#forget(agent, sessionId);
      throw toServerError(this.#options.server.server, error);
    }
  }

  async #forget(agent: TmuxAgent, sessionId: string): Promise<void> {
    if (this.#agents.get(sessionId) === agent) this.#agents.delete(sessionId);
    await agent.release();
  }

  async sendPrompt(handle: SessionHandle, envelope: PromptEnvelope): Promise<SentPrompt> {
    return this.#agent(handle).send(envelope);
  }

  async probe(handle: SessionHandle): Promise<ProbeResult> {
    const agent = this.#agents.get(handle.sessionId);
    return agent ? agent.probe() : { alive: false, paneActive: false, hint: 'it is not running' };
  }

  async resume(handle: SessionHandle): Promise<SessionHandle> {
    const agent = this.#agent(handle);
    // A hung one does not come back by itself; launching ends it first.
    if (!agent.isAlive || agent.isHung) await agent.launch('resume');
    return agent.handle();
  }

  async rebootstrap(handle: SessionHandle): Promise<SessionHandle> {
    const agent = this.#agent(handle);
    await agent.refuseWhileAsking();
    await agent.launch('new');
    return agent.handle();
  }

  async *capture(handle: SessionHandle, from: bigint): AsyncGenerator<TranscriptChunk> {
    const agent = this.#agents.get(handle.sessionId);
    if (agent) yield* agent.capture(from);
  }

  async attachPoint(sessionId: string): Promise<AttachPoint | undefined> {
    const driver = await this.#options.server.existing();
    if (!driver?.state.up) return undefined;
    const found = (await listAgentPanes(driver, sessionId)).at(-1);
    if (!found) return undefined;
    const { session, window, pane: paneId } = found;
    const { socketPath: socket } = driver.state.identity;
    return { binary: driver.server.binary, socket, session, window, paneId };
  }

  async forgetOutput(handle: SessionHandle, before: bigint): Promise<void> {
    await this.#agents.get(handle.sessionId)?.forgetOutput(before);
  }

  onExit(handle: SessionHandle, listener: (exit: AgentExit) => void): () => void {
    const { exits } = this.#agent(handle);
    exits.add(listener);
    return () => exits.delete(listener);
  }

  onStall({ sessionId }: SessionHandle, listener: StallListener): () => void {
    const listeners = this.#stallListeners.get(sessionId) ?? new Set();
    this.#stallListeners.set(sessionId, listeners.add(listener));
    // What the others have been told before.
    queueMicrotask(() => {
      const told = this.#agents.get(sessionId)?.toldStall;
      if (told && listeners.has(listener)) listener(told.stall);
    });
    return () => listeners.delete(listener);
  }

  async release(handle: SessionHandle): Promise<void> {
    await this.#take(handle)?.release();
  }

  async dispose(handle: SessionHandle): Promise<void> {
    const agent = this.#take(handle);
    if (agent) await agent.dispose();
    else await endSession(this.#options.server, handle.sessionId, { directory: handle.sessionDir });
  }

  async explain(handle: SessionHandle): Promise<SessionSignal[]> {
    return this.#agents.get(handle.sessionId)?.explain() ?? [];
  }

  #agent(handle: SessionHandle): TmuxAgent {
    const agent = this.#agents.get(handle.sessionId);
    if (agent) return agent;
    throw new DevflowError('internal', `The agent of session ${handle.sessionId} was not started.`);
  }

  #reportStall(sessionId: string, stall: AgentStall | undefined): void {
    for (const listener of [...(this.#stallListeners.get(sessionId) ?? [])]) listener(stall);
  }

  /** The agent, which the adapter then knows no more: what makes ending it twice harmless. */
  #take(handle: SessionHandle): TmuxAgent | undefined {
    const agent = this.#agents.get(handle.sessionId);
    this.#agents.delete(handle.sessionId);
    this.#stallListeners.get(handle.sessionId)?.clear();
    this.#stallListeners.delete(handle.sessionId);
    return agent;
  }
}
