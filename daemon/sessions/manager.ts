import type { Logger } from 'pino';
import { defined } from '../../schemas/defined.ts';
import type { Backend, Recovery } from '../../schemas/enums.ts';
import { isMessage } from '../../schemas/envelope.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { agentName } from '../../schemas/mainLane.ts';
import type {
  AgentStall,
  ProbeResult,
  SessionAdapter,
  SessionHandle,
  SessionSignal,
  StallListener,
} from './contract/adapter.ts';
import type { LostListener, SessionInput, SessionManager, SessionRef } from './contract/managerContract.ts';
import { verdictOf } from './contract/signals.ts';
import { detach, type HeldSession, holdSession, watch } from './heldSession.ts';
import { retrySend, SEND_RETRY_DELAYS_MS } from './retrySend.ts';
import { releaseAll } from './shutdown.ts';
import type { Transcripts } from './transcript/transcript.ts';

export type { StallListener } from './contract/adapter.ts';
export type { LostListener, SessionInput, SessionManager } from './contract/managerContract.ts';

export interface SessionManagerOptions {
  /** A backend without an adapter gives `backend_unavailable`. */
  adapters: Partial<Record<Backend, SessionAdapter>>;
  transcripts: Transcripts;
  /** Records pid and tmux names, for people and for the next daemon. */
  store: { saveAttachment(sessionId: string, handle: SessionHandle): Promise<void> };
  log: Pick<Logger, 'debug' | 'warn'>;
  sessionDirOf(input: { runId: string; sessionId: string }): string;
  retryDelaysMs?: readonly number[];
}

export function createSessionManager(options: SessionManagerOptions): SessionManager {
  const { adapters, transcripts, store, log, sessionDirOf, retryDelaysMs = SEND_RETRY_DELAYS_MS } = options;
  const sessions = new Map<string, HeldSession>();
  const lostListeners = new Set<LostListener>();
  const stallListeners = new Set<StallListener>();
  let stopping = false;
  const unlisten = Object.values(adapters).map((adapter) => adapter.onStall?.(reportStall));

  function reportStall(sessionId: string, stall: AgentStall | undefined): void {
    sessions.get(sessionId)?.signals.noteStall(stall);
    for (const listener of [...stallListeners]) listener(sessionId, stall);
  }

  function hold(input: SessionInput): HeldSession {
    const known = sessions.get(input.sessionId);
    if (known) return known;
    const adapter = adapters[input.backend];
    if (!adapter)
      throw new DevflowError('backend_unavailable', `The backend ${input.backend} is not enabled.`, {
        runId: input.runId,
      });
    const held = holdSession({ ...input, sessionDir: sessionDirOf(input) }, adapter);
    sessions.set(input.sessionId, held);
    return held;
  }

  function get(sessionId: string): HeldSession {
    const held = sessions.get(sessionId);
    if (held) return held;
    throw new DevflowError('internal', `This daemon has neither started nor adopted session ${sessionId}.`);
  }

  function refuseWhenStopping(): void {
    if (stopping) throw new DevflowError('shutting_down', 'The daemon is stopping and accepts no new work.');
  }

  /** Runs the work under the session's lock. Work requested before the session was ended is refused. */
  function inTurn<T>(held: HeldSession, work: () => Promise<T>): Promise<T> {
    return held.lock.run(async () => {
      refuseWhenStopping();
      if (held.ending) throw new DevflowError('shutting_down', `The agent of ${agentName(held.input)} is being ended.`);
      return work();
    });
  }

  async function attach(held: HeldSession, adoptOnly: boolean): Promise<SessionHandle> {
    if (adoptOnly && held.handle && !held.lost) return held.handle;
    const { sessionId } = held.input;
    held.signals.note('start', 'requested');
    // It may have waited behind the disposal that removed it.
    sessions.set(sessionId, held);
    held.isStarted = true;
    try {
      const handle = await held.adapter.start({ ...held.input, adoptOnly });
      await attached(held, handle);
      held.signals.note('start', adoptOnly ? 'adopted' : 'started or adopted');
      return handle;
    } catch (error) {
      held.signals.note('start', `failed: ${messageOf(error)}`);
      if (!held.handle) await forgetPane(held.input.sessionId, held.adapter);
      throw error;
    }
  }

  /** A dead agent's pane may still be read. Once the pane is gone, its id belongs to another. */
  async function forgetPane(sessionId: string, adapter: SessionAdapter): Promise<void> {
    try {
      if (!(await adapter.attachPoint?.(sessionId))) await store.saveAttachment(sessionId, { sessionId });
    } catch (err) {
      log.warn({ err, sessionId }, 'could not find out whether the pane exists');
    }
  }

  async function attached(held: HeldSession, handle: SessionHandle): Promise<void> {
    await watch(held, handle, { transcripts, log, onExit: (exit) => onAgentExit(held, exit.reason) });
    await store.saveAttachment(handle.sessionId, handle);
  }

  function onAgentExit(held: HeldSession, reason: string): void {
    const { sessionId, runId } = held.input;
    held.lost = true;
    held.signals.note('exit', reason);
    void held.lock.run(async () => {
      if (held.lost && !stopping) await forgetPane(held.input.sessionId, held.adapter);
    });
    const error = new DevflowError(
      'pane_briefly_unresponsive',
      `The agent of ${agentName(held.input)} ended: ${reason}.`,
      { runId },
    );
    for (const listener of [...lostListeners]) listener(sessionId, error);
  }

  async function probeHeld(held: HeldSession): Promise<ProbeResult> {
    const result = await held.adapter.probe(held.handle ?? { sessionId: held.input.sessionId });
    held.signals.note('probe', result.alive ? (result.hint ?? 'alive') : `dead: ${result.hint ?? 'no reason given'}`);
    return result;
  }

  /** An agent that was never attached (its start failed) is started: there is nothing else to recover. */
  async function resumeOrStart(held: HeldSession, how: Recovery): Promise<void> {
    const { handle } = held;
    if (!handle) await attach(held, false);
    else await attached(held, await held.adapter[how](handle));
  }

  /**
   * Asks the adapter first, without the lock. Work under way may wait for a person, and only the agent's end stops it.
   */
  function end(held: HeldSession): Promise<void> {
    held.ending ??= detach(held, 'dispose')
      .then(() => held.lock.run(() => forget(held)))
      .finally(() => {
        held.ending = undefined;
      });
    return held.ending;
  }

  async function endAgent(runId: string, { sessionId, backend }: SessionRef): Promise<void> {
    const held = sessions.get(sessionId);
    if (held) return end(held);
    const adapter = adapters[backend];
    await adapter?.dispose({ sessionId, sessionDir: sessionDirOf({ runId, sessionId }) });
    if (adapter) await forgetPane(sessionId, adapter);
  }

  async function forget(held: HeldSession): Promise<void> {
    const { sessionId } = held.input;
    // A start under way may have attached its agent meanwhile.
    if (held.handle || held.isStarted) await detach(held, 'dispose');
    await held.capturing;
    await transcripts
      .flush(sessionId)
      .catch((err: unknown) => log.warn({ err, sessionId }, 'could not store the rest of the transcript'));
    transcripts.drop(sessionId);
    await forgetPane(held.input.sessionId, held.adapter);
    sessions.delete(sessionId);
  }

  return {
    async start(input) {
      refuseWhenStopping();
      const held = hold(input);
      return inTurn(held, () => attach(held, false));
    },

    async ensure(input) {
      refuseWhenStopping();
      const held = hold(input);
      return inTurn(held, () => attach(held, true));
    },

    async sendPrompt(sessionId, envelope, sendOptions) {
      refuseWhenStopping();
      const held = get(sessionId);
      return inTurn(held, async () => {
        const { handle } = held;
        if (!handle) throw new DevflowError('prompt_send_transient', `Session ${sessionId} has no agent yet.`);
        const answer = await retrySend(
          () => held.adapter.sendPrompt(handle, envelope, sendOptions),
          retryDelaysMs,
          () => !stopping && !held.ending,
          (error) => held.signals.note('prompt', `refused, retried: ${error.message}`),
        );
        const what = isMessage(envelope) ? 'a message' : `${envelope.phaseKey} attempt ${envelope.attempt}`;
        held.signals.note('prompt', `taken: ${what}`);
        return answer;
      });
    },

    hasPrompt: (sessionId, envelope) => get(sessionId).adapter.hasPrompt?.(sessionId, envelope) ?? false,
    typedOf: (runId, { sessionId, backend }, envelope) =>
      adapters[backend]?.typedOf?.({ sessionId, sessionDir: sessionDirOf({ runId, sessionId }) }, envelope) ??
      'nothing',

    /** Outside the lock: a probe must answer while a prompt is being delivered. */
    probe: async (sessionId) => probeHeld(get(sessionId)),

    async recover(sessionId, how) {
      refuseWhenStopping();
      const held = get(sessionId);
      return inTurn(held, async () => {
        await probeHeld(held);
        try {
          await resumeOrStart(held, how);
          const { alive, hint } = await held.adapter.probe(held.handle ?? { sessionId });
          if (!alive)
            throw new DevflowError('pane_briefly_unresponsive', `The agent is still dead after ${how}: ${hint}.`);
          const done = held.adapter.hasLostConversation?.(sessionId) ? 'rebootstrap' : how;
          held.signals.note('recover', `done (${done})`);
          held.signals.note('probe', hint ?? 'alive');
          return defined({ how: done, hint });
        } catch (error) {
          held.signals.note('recover', `failed (${how}): ${messageOf(error)}`);
          throw error;
        }
      });
    },

    async endAgents(runId, refs) {
      await Promise.all(refs.map((ref) => endAgent(runId, ref)));
    },

    async disposeRun(runId, recorded = []) {
      const ofRun = [...sessions.values()].filter(({ input }) => input.runId === runId);
      const unheld = recorded.filter(({ sessionId }) => !sessions.has(sessionId));
      await Promise.all([...ofRun.map(end), ...unheld.map((ref) => endAgent(runId, ref))]);
    },

    async endLeftovers(runId) {
      const ofRun = [...sessions].filter(([, { input }]) => input.runId === runId);
      await Promise.all(ofRun.map(([sessionId, { adapter }]) => adapter.endLeftovers?.(sessionId)));
    },

    onLost(listener) {
      lostListeners.add(listener);
      return () => lostListeners.delete(listener);
    },

    onStall(listener) {
      stallListeners.add(listener);
      return () => stallListeners.delete(listener);
    },

    stallOf: (sessionId) => sessions.get(sessionId)?.adapter.stallOf?.(sessionId),

    lastWords: async (sessionId) => sessions.get(sessionId)?.adapter.lastWords?.(sessionId),

    turnOf: (sessionId) => sessions.get(sessionId)?.adapter.turnOf?.(sessionId),

    running() {
      return [...sessions.values()].flatMap(({ input, handle, lost }) => {
        const { sessionId, roleId } = input;
        return handle?.pid === undefined || lost ? [] : [{ sessionId, roleId, pid: handle.pid }];
      });
    },

    async why(sessionId, { isAtWork } = { isAtWork: true }) {
      const held = sessions.get(sessionId);
      const seen = held?.signals.list() ?? [];
      // Ask for starting agents too: that is when they may wait for a person.
      const reported = (await held?.adapter.explain?.(held.handle ?? { sessionId })) ?? [];
      // An adapter that lists the stall itself reported it here before.
      const isListed = ({ source, fact }: SessionSignal) =>
        reported.some((by) => by.source === source && by.fact === fact);
      const signals = [...seen.filter((signal) => !isListed(signal)), ...reported].sort(
        (a, b) => a.at.getTime() - b.at.getTime(),
      );
      return { sessionId, ...verdictOf(signals, isAtWork), signals };
    },

    async shutdown({ deadlineMs }) {
      stopping = true;
      const hung = await releaseAll([...sessions.values()], transcripts, deadlineMs, log);
      for (const stop of unlisten) stop?.();
      sessions.clear();
      return { hung };
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
