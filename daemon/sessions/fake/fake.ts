import { dirname } from 'node:path';
import { defined } from '../../../schemas/defined.ts';
import { type Envelope, isMessage } from '../../../schemas/envelope.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { examplesDir } from '../../../schemas/files/runPaths.ts';
import { agentName } from '../../../schemas/mainLane.ts';
import type {
  AgentExit,
  AgentStall,
  ProbeResult,
  SentPrompt,
  SessionAdapter,
  SessionHandle,
  SessionSignal,
  StallListener,
  StartInput,
  TranscriptChunk,
} from '../contract/adapter.ts';
import { FakeAgent, type FakeOptions } from './fakeAgent.ts';
import { readFakeJournal } from './fakeJournal.ts';

/**
 * The backend for tests and demos: deterministic, in-process, without a pane. It ends with the daemon; its journal in
 * the session's directory lets it behave like an agent that did not.
 */
export class FakeSessionAdapter implements SessionAdapter {
  readonly #options: FakeOptions;
  readonly #agents = new Map<string, FakeAgent>();
  readonly #stallListeners = new Set<StallListener>();

  constructor(options: { fixturesDir: FakeOptions['fixturesDir']; delayMs?: number }) {
    this.#options = { delayMs: 50, ...options };
  }

  async start(input: StartInput): Promise<SessionHandle> {
    const handle = { sessionId: input.sessionId };
    const known = this.#agents.get(input.sessionId);
    if (known?.probe().alive) return handle;
    const journal = await readFakeJournal(input.sessionDir);
    if (input.adoptOnly && (known || journal.length === 0 || journal.at(-1)?.type === 'disposed')) {
      throw new DevflowError('pane_briefly_unresponsive', `There is no live fake agent of session ${input.sessionId}.`);
    }
    if (known) return this.resume(handle);
    const agent = new FakeAgent(input, this.#optionsFor(input), journal);
    await agent.open();
    this.#agents.set(input.sessionId, agent);
    const { alive, hint } = agent.probe();
    if (alive) this.#reportRest(input.sessionId);
    if (alive) return handle;
    if (!input.adoptOnly) return this.resume(handle);
    throw new DevflowError('pane_briefly_unresponsive', `The agent of ${agentName(input)} ended: ${hint}.`);
  }

  /** The run of a draft has examples of its own. */
  #optionsFor({ sessionDir }: StartInput): FakeOptions {
    const own = examplesDir(dirname(dirname(sessionDir)));
    return { ...this.#options, fixturesDir: [own, ...[this.#options.fixturesDir].flat()] };
  }

  async sendPrompt(handle: SessionHandle, envelope: Envelope): Promise<SentPrompt> {
    const agent = this.#agent(handle);
    if (!isMessage(envelope)) return agent.take(envelope);
    const sent = await agent.read(envelope);
    this.#reportRest(handle.sessionId);
    return sent;
  }

  onStall(listener: StallListener): () => void {
    this.#stallListeners.add(listener);
    return () => this.#stallListeners.delete(listener);
  }

  stallOf(sessionId: string): AgentStall | undefined {
    return this.#agents.get(sessionId)?.rest();
  }

  #reportRest(sessionId: string): void {
    const rest = this.stallOf(sessionId);
    if (rest) for (const listener of this.#stallListeners) listener(sessionId, rest);
  }

  hasPrompt(sessionId: string, { dedupKey }: Pick<Envelope, 'dedupKey'>): boolean {
    return this.#agents.get(sessionId)?.hasPrompt(dedupKey) ?? false;
  }

  async probe(handle: SessionHandle): Promise<ProbeResult> {
    const agent = this.#agents.get(handle.sessionId);
    return agent
      ? { ...agent.probe(), ...defined({ stall: agent.rest() }) }
      : { alive: false, paneActive: false, hint: 'it is not running' };
  }

  async resume(handle: SessionHandle): Promise<SessionHandle> {
    await this.#agent(handle).resume();
    this.#reportRest(handle.sessionId);
    return handle;
  }

  async rebootstrap(handle: SessionHandle): Promise<SessionHandle> {
    await this.#agent(handle).rebootstrap();
    this.#reportRest(handle.sessionId);
    return handle;
  }

  async *capture(handle: SessionHandle, fromSeq: bigint): AsyncGenerator<TranscriptChunk> {
    const agent = this.#agents.get(handle.sessionId);
    if (agent) yield* agent.output.read(fromSeq);
  }

  onExit(handle: SessionHandle, listener: (exit: AgentExit) => void): () => void {
    const { exits } = this.#agent(handle);
    exits.add(listener);
    return () => exits.delete(listener);
  }

  async release(handle: SessionHandle): Promise<void> {
    await this.#take(handle)?.close(false);
  }

  async dispose(handle: SessionHandle): Promise<void> {
    await this.#take(handle)?.close(true);
  }

  async explain(handle: SessionHandle): Promise<SessionSignal[]> {
    return this.#agents.get(handle.sessionId)?.explain() ?? [];
  }

  #agent(handle: SessionHandle): FakeAgent {
    const agent = this.#agents.get(handle.sessionId);
    if (agent) return agent;
    throw new DevflowError('internal', `The fake agent of session ${handle.sessionId} was not started.`);
  }

  /** Removes the agent from the map, so that ending it twice is harmless. */
  #take(handle: SessionHandle): FakeAgent | undefined {
    const agent = this.#agents.get(handle.sessionId);
    this.#agents.delete(handle.sessionId);
    return agent;
  }
}
