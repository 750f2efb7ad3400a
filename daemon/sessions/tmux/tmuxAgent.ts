import { type Envelope, isMessage, renderEnvelope } from '../../../schemas/envelope.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { agentName } from '../../../schemas/mainLane.ts';
import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import { isTmuxError } from '../../../tmux/command/errors.ts';
import { pasteable } from '../../../tmux/panes/buffers.ts';
import { outsideOf } from '../../sandbox/ownPlaces.ts';
import type {
  AgentExit,
  AgentStall,
  LastWords,
  ProbeResult,
  SendOptions,
  SentPrompt,
  SessionHandle,
  SessionSignal,
  StartInput,
  TranscriptChunk,
  Turn,
} from '../contract/adapter.ts';
import { createSessionLock } from '../heldSession.ts';
import type { AgentOptions } from './agentOptions.ts';
import { type Attachment, attachPane, type DeliveryWait, type SessionPorts } from './attachment.ts';
import { awaitReady } from './deliver/awaitReady.ts';
import { searchRecord } from './deliver/conversationHas.ts';
import { deliver } from './deliver/delivery.ts';
import { doubt, refusal } from './deliver/deliveryError.ts';
import { answerDoubt, type Ledger, openLedger, proofNamed } from './deliver/ledger.ts';
import { settleMs } from './deliver/settleMs.ts';
import { settleEnded, settleOthers } from './deliver/settleOthers.ts';
import { endLeftovers } from './endLeftovers.ts';
import { explainAgent } from './explainAgent.ts';
import { launchAgent, outputDirOf } from './launchAgent.ts';
import { createHookEvents, type HookEvents } from './observe/hookEvents.ts';
import { forgetBefore } from './output/outputFiles.ts';
import { keepBracketedPaste } from './output/outputSignals.ts';
import { captureOutput } from './output/outputTail.ts';
import { probeAgent, wordsOfAgent } from './probeAgent.ts';
import { endSession } from './process/endSession.ts';
import { type Launches, openLaunches } from './process/launches.ts';
import { agentEnvironment } from './server/agentEnv.ts';
import { type AgentPane, listAgentPanes } from './server/panes.ts';
import type { StallPorts } from './stall/watchStall.ts';
import { turnIn } from './turn.ts';

/** One session: its files, its pane if it has one, and everything that watches it. */
export class TmuxAgent {
  readonly exits = new Set<(exit: AgentExit) => void>();
  readonly #input: StartInput;
  readonly #options: AgentOptions;
  readonly #launches: Launches;
  readonly #ledger: Ledger;
  readonly #env: Record<string, string>;
  readonly #lock = createSessionLock();
  readonly #ending = new AbortController();
  /**
   * Both end `capture`: `#released` at once, while the program keeps running; `#disposed` once its output is read to
   * the end.
   */
  readonly #released = new AbortController();
  readonly #disposed = new AbortController();
  readonly #hookEvents: HookEvents;
  readonly #noticed: SessionPorts['noticed'] = { shownAt: steadyNow() };
  readonly #waiting: DeliveryWait = {};
  readonly #reported: StallPorts['reported'] = { now: {} };
  readonly #reportStall: StallPorts['report'];
  /** Aborts the current delivery, if there is one. */
  #delivering = new AbortController();
  #attachment: Attachment | undefined;

  constructor(input: StartInput, options: AgentOptions, reportStall: StallPorts['report']) {
    this.#input = input;
    this.#options = options;
    this.#reportStall = reportStall;
    this.#launches = openLaunches(input.sessionDir);
    this.#ledger = openLedger(input.sessionDir);
    this.#hookEvents = createHookEvents(options.profile, this.#launches, outsideOf(input.sessionDir).path);
    this.#env = agentEnvironment(options.parentEnv, options.profile, options.env, input);
  }

  get isAlive(): boolean {
    return this.#attachment !== undefined && this.#attachment.exit === undefined;
  }

  /** The last reported stall of the current program; undefined for none, and after its end. */
  get reportedStall(): AgentStall | undefined {
    return this.isAlive ? this.#reported.now.last?.stall : undefined;
  }

  get isHung(): boolean {
    return this.isAlive && this.#attachment?.stall.now()?.cause === 'hung';
  }

  handle(): SessionHandle {
    const { sessionId } = this.#input;
    const pane = this.#attachment?.pane;
    if (!pane) return { sessionId };
    return { sessionId, pid: pane.pid, tmuxSession: pane.sessionName, tmuxWindow: pane.window, tmuxPane: pane.pane };
  }

  /** Adopts the existing pane; false if there is none with a living program. */
  adopt(): Promise<boolean> {
    return this.#lock.run(async () => {
      const driver = await this.#options.server.existing();
      const pane = driver && (await listAgentPanes(driver, this.#input.sessionId)).at(-1);
      this.#ending.signal.throwIfAborted();
      if (!pane || pane.dead || this.#launches.now().disposed) return false;
      await this.#attach(pane);
      // tmux may have missed the program's end, but not the wrapper.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      this.#ending.signal.throwIfAborted();
      return this.isAlive;
    });
  }

  /** Ends leftovers of the program: all processes once it has ended, else those started since its first prompt. */
  endLeftovers(): Promise<void> {
    // While the program is being adopted or started, nobody knows yet that it lives.
    const leader = () => (this.isAlive ? this.handle().pid : undefined);
    return this.#lock.run(() => endLeftovers(this.#input.sessionDir, leader(), this.#launches, this.#ledger));
  }

  /** Starts the program again, in the same conversation or a new one. A prompt under way to the old program fails. */
  launch(how: 'new' | 'resume'): Promise<void> {
    this.#delivering.abort(refusal(this.#input, 'its program is being restarted'));
    return this.#lock.run(async () => {
      this.#ending.signal.throwIfAborted();
      await this.#detach();
      // The run forgets the stall of a program that ended, so the same stall of the next program is new.
      this.#reported.now = {};
      const driver = await this.#options.server.open();
      const ports = { ...this.#options, driver, env: this.#env, input: this.#input };
      const known = { ledger: this.#ledger, hookEvents: this.#hookEvents, conversationHas: this.#conversationHas };
      const onEnded = () => settleEnded(this.#input.sessionDir, known);
      const pane = await launchAgent({ ...ports, launches: this.#launches, ledger: this.#ledger, onEnded }, how);
      const settled = settleMs(this.#options.profile, { ...ports, cwd: this.#input.cwd });
      await this.#attach(pane);
      await this.ready(await settled);
    });
  }

  /** Throws while the agent asks a person: an answer being typed would be lost. */
  async refuseWhileAsking(): Promise<void> {
    const observer = this.isAlive ? this.#attachment?.observer : undefined;
    await observer?.readScreen().catch(() => {});
    const status = observer?.status();
    if (status?.state !== 'WAITING' && status?.state !== 'DIALOG') return;
    const { runId } = this.#input;
    const message = `The agent of ${agentName(this.#input)} waits for a person: ${status.about}.`;
    const recoveryHint = 'Answer it in its pane (devflow attach).';
    throw new DevflowError('pane_briefly_unresponsive', message, { runId, recoveryHint });
  }

  async ready(settleStartMs = this.#options.profile.timings.settleStartMs): Promise<void> {
    const { observer, startMs } = this.#attached();
    const timings = { ...this.#options.profile.timings, startMs, settleStartMs };
    await awaitReady(observer, timings, this.#input, this.#ending.signal);
  }

  get canBeResumed(): boolean {
    const { number, disposed } = this.#launches.now();
    return number > 0 && !disposed;
  }

  get hasLostConversation(): boolean {
    const hasTaken = this.#ledger.lastTakenAt() !== undefined;
    return hasTaken && !this.#ledger.hasTakenSince(this.#launches.now().begunBy);
  }

  hasPrompt({ uuid, dedupKey }: Pick<Envelope, 'uuid' | 'dedupKey'>): boolean {
    const { state = 'queued' } = this.#ledger.of(uuid) ?? {};
    return state !== 'queued' || this.#ledger.taken(dedupKey) !== undefined;
  }

  send(envelope: Envelope, options: SendOptions = {}): Promise<SentPrompt> {
    return this.#lock.run(async () => {
      this.#ending.signal.throwIfAborted();
      answerDoubt(this.#ledger, envelope, options);
      const known = this.#ledger.taken(envelope.dedupKey);
      if (known !== undefined) return this.#sent(known);
      const { delivery } = this.#attached();
      settleOthers(envelope.uuid, delivery);
      const rendered = pasteable(renderEnvelope(envelope));
      const text = this.#options.profile.escape?.(rendered) ?? rendered;
      const prompt = { uuid: envelope.uuid, dedupKey: envelope.dedupKey, text, isMessage: isMessage(envelope) };
      this.#delivering = new AbortController();
      const signal = AbortSignal.any([this.#ending.signal, this.#delivering.signal]);
      const delivered = await deliver(prompt, delivery, signal, options.giveUp).catch((error: unknown) => {
        // The record says what was done; the next try continues there.
        throw isTmuxError(error) ? refusal(this.#input, error.message) : error;
      });
      if (delivered.taken) return this.#sent(envelope.uuid);
      throw delivered.uncertain ? doubt(this.#input, delivered.reason) : refusal(this.#input, delivered.reason);
    });
  }

  async probe(): Promise<ProbeResult> {
    return probeAgent(this.#attachment);
  }

  async lastWords(): Promise<LastWords | undefined> {
    return this.isAlive && this.#attachment ? wordsOfAgent(this.#attachment) : undefined;
  }

  async explain(): Promise<SessionSignal[]> {
    return this.#attachment ? explainAgent(this.#attachment, this.#waiting, this.#reported.now) : [];
  }

  /** Undefined while no program runs. */
  turn(): Turn | undefined {
    const about = { ...this.#options, ...this.#input, ledger: this.#ledger, launches: this.#launches };
    return this.isAlive && this.#attachment ? turnIn(this.#attachment, about) : undefined;
  }

  capture(from: bigint): AsyncIterable<TranscriptChunk> {
    const [signal, drain] = [this.#released.signal, this.#disposed.signal];
    return captureOutput({ directory: outputDirOf(this.#input.sessionDir), fromOffset: Number(from), signal, drain });
  }

  async forgetOutput(before: bigint): Promise<void> {
    const directory = outputDirOf(this.#input.sessionDir);
    keepBracketedPaste(directory);
    forgetBefore(directory, Number(before));
  }

  /** Detaches; the program keeps running. */
  async release(): Promise<void> {
    this.#released.abort();
    await this.#detachAll();
  }

  /** Ends the program and everything it started. */
  async dispose(): Promise<void> {
    await this.#detachAll();
    await endSession(this.#options.server, this.#input.sessionId, {
      directory: this.#input.sessionDir,
      launches: this.#launches,
    }).finally(() => this.#disposed.abort());
  }

  async #detachAll(): Promise<void> {
    this.#ending.abort(new DevflowError('shutting_down', 'The session was released.'));
    this.exits.clear();
    await this.#lock.idle();
    await this.#detach();
  }

  async #attach(pane: AgentPane): Promise<void> {
    this.#attachment = await attachPane(pane, {
      options: this.#options,
      input: this.#input,
      env: outsideOf(this.#input.sessionDir).environment(this.#env),
      launches: this.#launches,
      ledger: this.#ledger,
      hookEvents: this.#hookEvents,
      noticed: this.#noticed,
      conversationHas: this.#conversationHas,
      waiting: this.#waiting,
      reported: this.#reported,
      reportStall: this.#reportStall,
      onExit: (exit) => {
        for (const listener of [...this.exits]) listener(exit);
      },
    });
  }

  async #detach(): Promise<void> {
    const attachment = this.#attachment;
    this.#attachment = undefined;
    await attachment?.close();
  }

  readonly #conversationHas = (uuid: string): boolean | undefined => {
    const { transcriptPath, conversationId } = this.#launches.now();
    const env = outsideOf(this.#input.sessionDir).environment(this.#env);
    const expected = conversationId === undefined ? undefined : this.#options.profile.recordOf?.(env, conversationId);
    return searchRecord({ transcriptPath, expected }, uuid);
  };

  #attached(): Attachment {
    if (this.#attachment) return this.#attachment;
    throw refusal(this.#input, 'it is not running');
  }

  /** A resumed conversation has the prompt too, but the new program does not work on it. */
  #sent(promptId: string): SentPrompt {
    const pane = this.#attachment?.pane;
    // The turn may have ended before it was known to be of this prompt, and no other change may come.
    this.#attachment?.observer.changes.notify();
    const taken = { promptId, proof: proofNamed(this.#ledger.of(promptId)?.by) };
    return !pane || this.#ledger.isWith(promptId, pane) ? taken : { ...taken, takerEnded: true };
  }
}
