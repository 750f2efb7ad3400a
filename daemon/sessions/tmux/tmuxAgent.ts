import { type PromptEnvelope, renderEnvelope } from '../../../schemas/envelope.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { pasteable } from '../../../tmux/buffers.ts';
import { repipe, splitSink } from '../../../tmux/pipe.ts';
import { readIdentity } from '../../../tmux/serverLife.ts';
import type { AgentExit, ProbeResult, SessionHandle, SessionSignal, StartInput, TranscriptChunk } from '../adapter.ts';
import { createSessionLock } from '../sessionLock.ts';
import { agentEnvironment } from './agentEnv.ts';
import type { AgentServer } from './agentServer.ts';
import { awaitReady } from './awaitReady.ts';
import { captureOutput } from './captureOutput.ts';
import { type DeliveryPoint, type DeliveryPorts, deliver } from './delivery.ts';
import { endSession } from './endSession.ts';
import type { Verdict } from './evidence.ts';
import { launchAgent, outputDirOf, paneDirOf } from './launchAgent.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { type Lives, openLives } from './lives.ts';
import { type Observer, observe } from './observer.ts';
import { forgetBefore, newEpoch } from './outputFiles.ts';
import { keepBracketedPaste, lastWrittenAt } from './outputSignals.ts';
import { createPaneActs } from './paneActs.ts';
import { type AgentPane, listAgentPanes } from './panes.ts';
import { endProcesses } from './processGroup.ts';
import { endProcesses } from './processGroup.ts';
import type { HookEvent, Profile } from './profile.ts';
import { conversationHas, needleOf } from './proof.ts';
import { watchDeath } from './watchDeath.ts';

export interface AgentOptions {
  profile: Profile;
  server: AgentServer;
  binaryPath: string;
  args: readonly string[];
  /** Busy for so long without any progress is hung. */
  maxHungMs: number;
  /** The daemon's own environment, of which an agent gets what its profile names. */
  parentEnv: Readonly<Record<string, string | undefined>>;
  /** Of the configuration. */
  env: Readonly<Record<string, string>>;
  /** Told of each step of a delivery, so that tests can end the process there. */
  at?(point: DeliveryPoint): void;
}

interface Attachment {
  pane: AgentPane;
  observer: Observer;
  ports: DeliveryPorts;
  /** Why it has ended, once it has. */
  exit?: AgentExit;
  close(): Promise<void>;
}

/** One session: its files, its pane if it has one, and all that watches it. */
export class TmuxAgent {
  readonly exits = new Set<(exit: AgentExit) => void>();
  readonly #input: StartInput;
  readonly #options: AgentOptions;
  readonly #lives: Lives;
  readonly #ledger: Ledger;
  readonly #env: Record<string, string>;
  readonly #lock = createSessionLock();
  readonly #ending = new AbortController();
  /** End `capture`: at once, the program lives on; and once all is read that it printed to its end. */
  readonly #released = new AbortController();
  readonly #disposed = new AbortController();
  readonly #hooked = new Set<string>();
  readonly #cleared = { at: 0 };
  #attachment: Attachment | undefined;
  #waitsFor: { reason: string; since: number } | undefined;

  constructor(input: StartInput, options: AgentOptions) {
    this.#input = input;
    this.#options = options;
    this.#lives = openLives(input.sessionDir);
    this.#ledger = openLedger(input.sessionDir);
    this.#env = agentEnvironment(options.parentEnv, options.profile, options.env, input);
  }

  get isAlive(): boolean {
    return this.#attachment !== undefined && this.#attachment.exit === undefined;
  }

  handle(): SessionHandle {
    const { sessionId } = this.#input;
    const pane = this.#attachment?.pane;
    if (!pane) return { sessionId };
    return { sessionId, pid: pane.pid, tmuxSession: pane.sessionName, tmuxWindow: pane.window };
  }

  /** Takes over the pane that is there; false when there is none with a living program. */
  async adopt(): Promise<boolean> {
    const driver = await this.#options.server.existing();
    const pane = driver && (await listAgentPanes(driver, this.#input.sessionId)).at(-1);
    if (!pane || pane.dead || this.#lives.now().disposed) return false;
    await this.#attach(pane);
    // Its end may have gone unseen by tmux, but not by the wrapper.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return this.isAlive;
  }

  /** Ends what its programs left running when their pane was gone. Only for an agent that is not alive. */
  async endLeftovers(): Promise<void> {
    if (!this.isAlive) await endProcesses(this.#input.sessionDir, this.#lives.now().launched);
  }

  /** Ends what its programs left running when their pane was gone. Only for an agent that is not alive. */
  async endLeftovers(): Promise<void> {
    if (!this.isAlive) await endProcesses(this.#input.sessionDir, this.#lives.now().launched);
  }

  /** Starts the program anew, in the same conversation or in another. */
  async launch(how: 'new' | 'resume'): Promise<void> {
    await this.#detach();
    const driver = await this.#options.server.open();
    const { profile, binaryPath, args } = this.#options;
    const ports = { driver, profile, binaryPath, args, env: this.#env, input: this.#input };
    const pane = await launchAgent({ ...ports, lives: this.#lives, ledger: this.#ledger }, how);
    await this.#attach(pane);
    await this.ready();
  }

  async ready(): Promise<void> {
    const { observer } = this.#attached();
    await awaitReady(observer, this.#options.profile.waits, this.#input, this.#ending.signal);
  }

  get canBeResumed(): boolean {
    const { life, disposed } = this.#lives.now();
    return life > 0 && !disposed;
  }

  send(envelope: PromptEnvelope): Promise<{ promptId: string }> {
    return this.#lock.run(async () => {
      const known = this.#ledger.taken(envelope.dedupKey);
      if (known !== undefined) return { promptId: known };
      const { ports } = this.#attached();
      this.#settleOthers(envelope.uuid, ports);
      const text = pasteable(renderEnvelope(envelope));
      const prompt = { uuid: envelope.uuid, dedupKey: envelope.dedupKey, text };
      const delivered = await deliver(prompt, ports, this.#ending.signal);
      if (delivered.taken) return { promptId: envelope.uuid };
      throw this.#refusal(delivered.reason);
    });
  }

  async probe(): Promise<ProbeResult> {
    const attachment = this.#attachment;
    if (!attachment) return { alive: false, paneActive: false, hint: 'it is not running' };
    if (attachment.exit) return { alive: false, paneActive: false, hint: attachment.exit.reason };
    const { observer } = attachment;
    await observer.readScreen().catch(() => {});
    const verdict = observer.verdict();
    const at = observer.lastOutputAt() ?? lastWrittenAt(outputDirOf(this.#input.sessionDir));
    return {
      ...{ alive: verdict.state !== 'DEAD', paneActive: verdict.state === 'BUSY', hint: hintOf(verdict) },
      ...(at === undefined ? {} : { lastOutputAt: new Date(at) }),
    };
  }

  async explain(): Promise<SessionSignal[]> {
    const verdict = this.#attachment?.observer.verdict();
    if (!verdict) return [];
    const signals = verdict.signals.map(({ at, source, fact, says }) => ({
      ...{ at: new Date(at), source, fact: says === undefined ? fact : `${fact} (${says})` },
    }));
    const decided = { at: new Date(verdict.since), source: 'rule', fact: `${verdict.state}: ${verdict.rule}` };
    const waiting = this.#waitsFor;
    if (!waiting) return [...signals, decided];
    return [...signals, decided, { at: new Date(waiting.since), source: 'prompt', fact: `waits: ${waiting.reason}` }];
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

  /** Lets go of everything; the program lives on. */
  async release(): Promise<void> {
    this.#released.abort();
    await this.#letGo();
  }

  /** Ends the program and all it started. */
  async dispose(): Promise<void> {
    await this.#letGo();
    await endSession(this.#options.server, this.#input.sessionId, {
      directory: this.#input.sessionDir,
      lives: this.#lives,
    }).finally(() => this.#disposed.abort());
  }

  async #letGo(): Promise<void> {
    this.#ending.abort(new DevflowError('shutting_down', 'The session was let go.'));
    this.exits.clear();
    await this.#lock.idle();
    await this.#detach();
  }

  async #attach(pane: AgentPane): Promise<void> {
    const { server, profile } = this.#options;
    const driver = await server.open();
    const { pid: serverPid } = driver.state.up ? driver.state.identity : await readIdentity(driver);
    const { sessionDir } = this.#input;
    const outputDir = outputDirOf(sessionDir);
    const observer = await observe({
      ...{ profile, runner: driver, pane: pane.pane, sessionDir, outputDir, env: this.#env },
      launchedAt: this.#lives.now().launchedAt ?? Date.now(),
      conversationId: () => this.#lives.now().conversationId,
      onHook: (event) => this.#onHook(event),
    });
    const ports: DeliveryPorts = {
      ...{ pid: pane.pid, profile, observer, ledger: this.#ledger, cleared: this.#cleared },
      acts: createPaneActs(driver, server.server, pane.pane),
      hooked: (uuid) => this.#hooked.has(uuid),
      conversationHas: (uuid) => conversationHas(this.#lives.now().transcriptPath, uuid),
      onWait: (reason) => this.#onWait(reason),
      at: (point) => this.#options.at?.(point),
    };
    const stopDeath = watchDeath(
      { driver, server, pane, serverPid, directory: paneDirOf(sessionDir, pane.life) },
      (exit) => {
        attachment.exit = exit;
        observer.lookAtHooks();
        observer.noteDeath(exit.reason);
        for (const listener of [...this.exits]) listener(exit);
      },
    );
    const stopFlags = server.onFlags((panes) => {
      const flags = panes.get(pane.pane);
      if (!flags || flags.piped || flags.dead) return;
      const epoch = newEpoch(outputDir, 'the program that keeps the output had ended');
      repipe(driver, pane.pane, splitSink(outputDir, epoch)).catch(() => {});
    });
    const attachment: Attachment = {
      ...{ pane, observer, ports },
      async close() {
        stopDeath();
        stopFlags();
        await observer.close();
      },
    };
    this.#attachment = attachment;
  }

  async #detach(): Promise<void> {
    const attachment = this.#attachment;
    this.#attachment = undefined;
    await attachment?.close();
  }

  #attached(): Attachment {
    if (this.#attachment) return this.#attachment;
    throw this.#refusal('it is not running');
  }

  #onHook({ name, data }: HookEvent): void {
    if (name === 'UserPromptSubmit' && typeof data.prompt === 'string') {
      for (const [, uuid] of data.prompt.matchAll(/DEVFLOW_PROMPT_BEGIN ([0-9a-f-]{36})/g)) {
        if (uuid !== undefined && data.prompt.trimStart().startsWith(needleOf(uuid))) this.#hooked.add(uuid);
      }
    }
    const facts = this.#lives.now();
    const path = typeof data.transcript_path === 'string' ? data.transcript_path : undefined;
    const id = typeof data.session_id === 'string' ? data.session_id : undefined;
    const isReported = this.#options.profile.conversationId === 'reported' && id !== undefined;
    const isNews = (path !== undefined && path !== facts.transcriptPath) || (isReported && id !== facts.conversationId);
    if (isNews) {
      this.#lives.note({ type: 'told', transcriptPath: path, ...(isReported ? { conversationId: id } : {}) });
    }
  }

  #onWait(reason: string | undefined): void {
    if (reason === undefined) this.#waitsFor = undefined;
    else if (reason !== this.#waitsFor?.reason) this.#waitsFor = { reason, since: Date.now() };
  }

  /** Prompts that another process began with, and that nobody asks for any more. */
  #settleOthers(uuid: string, ports: DeliveryPorts): void {
    for (const line of this.#ledger.unsettled()) {
      if (line.uuid === uuid) continue;
      const isTaken = ports.hooked(line.uuid) || ports.conversationHas(line.uuid) === true;
      const { pid, dedupKey } = line;
      if (isTaken) this.#ledger.note({ uuid: line.uuid, dedupKey, pid, state: 'acknowledged', by: 'seen later' });
      else this.#ledger.note({ uuid: line.uuid, dedupKey, pid, state: 'failed', reason: 'another prompt came first' });
    }
  }

  #refusal(reason: string): DevflowError {
    const { roleId, runId } = this.#input;
    const code = reason.includes('quota') ? 'backend_unavailable' : 'prompt_send_transient';
    return new DevflowError(code, `The agent of ${roleId} took no prompt: ${reason}.`, { runId });
  }
}

function hintOf({ state, detail, until }: Verdict): string {
  if (state === 'READY') return 'READY';
  const ends = until === undefined ? '' : ` until ${new Date(until).toISOString()}`;
  return `${state} ${detail}${ends}`;
}
