import type { Envelope } from '../../../schemas/envelope.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type {
  AgentExit,
  AgentStall,
  AttachPoint,
  LastWords,
  ProbeResult,
  SendOptions,
  SentPrompt,
  SessionAdapter,
  SessionHandle,
  SessionSignal,
  StallListener,
  StartInput,
  TranscriptChunk,
  Turn,
  TypedSoFar,
} from '../contract/adapter.ts';
import type { AgentOptions } from './agentOptions.ts';
import { openLedger } from './deliver/ledger.ts';
import { endSession } from './process/endSession.ts';
import { listAgentPanes } from './server/panes.ts';
import { toServerError } from './server/serverError.ts';
import { TmuxAgent } from './tmuxAgent.ts';

/**
 * Agents in tmux panes, each running one backend's program. They outlive the daemon; files in the session's directory
 * keep their output and hooks meanwhile.
 */
export class TmuxSessionAdapter implements SessionAdapter {
  readonly streams = true;
  readonly #options: AgentOptions;
  readonly #agents = new Map<string, TmuxAgent>();
  readonly #stallListeners = new Set<StallListener>();

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
    // Before the search for its pane: a release during the search must find the agent.
    this.#agents.set(input.sessionId, agent);
    const isThere = !known && (await this.#adopt(agent, input.sessionId));
    if (!isThere && input.adoptOnly) {
      // An agent that ignores SIGHUP would keep running invisibly.
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

  async sendPrompt(handle: SessionHandle, envelope: Envelope, options?: SendOptions): Promise<SentPrompt> {
    return this.#agent(handle).send(envelope, options);
  }

  async probe(handle: SessionHandle): Promise<ProbeResult> {
    const agent = this.#agents.get(handle.sessionId);
    return agent ? agent.probe() : { alive: false, paneActive: false, hint: 'it is not running' };
  }

  async resume(handle: SessionHandle): Promise<SessionHandle> {
    const agent = this.#agent(handle);
    // A hung program does not recover; the launch ends it first.
    if (!agent.isAlive || agent.isHung) await agent.launch('resume');
    return agent.handle();
  }

  hasPrompt(sessionId: string, envelope: Pick<Envelope, 'uuid' | 'dedupKey'>): boolean {
    return this.#agents.get(sessionId)?.hasPrompt(envelope) ?? false;
  }

  typedOf({ sessionDir }: { sessionDir: string }, { uuid, dedupKey }: Pick<Envelope, 'uuid' | 'dedupKey'>): TypedSoFar {
    const ledger = openLedger(sessionDir);
    return ledger.taken(dedupKey) === undefined ? ledger.soFar(uuid) : 'typed';
  }

  hasLostConversation(sessionId: string): boolean {
    return this.#agents.get(sessionId)?.hasLostConversation ?? false;
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

  onStall(listener: StallListener): () => void {
    this.#stallListeners.add(listener);
    return () => this.#stallListeners.delete(listener);
  }

  stallOf(sessionId: string): AgentStall | undefined {
    return this.#agents.get(sessionId)?.reportedStall;
  }

  async lastWords(sessionId: string): Promise<LastWords | undefined> {
    return this.#agents.get(sessionId)?.lastWords();
  }

  turnOf(sessionId: string): Turn | undefined {
    return this.#agents.get(sessionId)?.turn();
  }

  async endLeftovers(sessionId: string): Promise<void> {
    await this.#agents.get(sessionId)?.endLeftovers();
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

  /** A released agent may report until it has detached. */
  #reportStall(sessionId: string, stall: AgentStall | undefined): void {
    if (!this.#agents.has(sessionId)) return;
    for (const listener of [...this.#stallListeners]) listener(sessionId, stall);
  }

  /** Removes the agent from the map, so that ending it twice is harmless. */
  #take(handle: SessionHandle): TmuxAgent | undefined {
    const agent = this.#agents.get(handle.sessionId);
    this.#agents.delete(handle.sessionId);
    return agent;
  }
}
