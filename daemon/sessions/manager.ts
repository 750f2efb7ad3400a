import type { Logger } from 'pino';
import type { Backend } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { ProbeResult, SessionAdapter, SessionHandle, SessionSignal } from './adapter.ts';
import { detach, type HeldSession, holdSession, watch, watchStalls } from './heldSession.ts';
import type { LostListener, SessionManager, SessionStart, StallListener } from './managerContract.ts';
import { retrySend, SEND_RETRY_DELAYS_MS } from './retrySend.ts';
import { releaseAll } from './shutdown.ts';
import { verdictOf } from './signals.ts';
import type { Transcripts } from './transcript/transcript.ts';

export type { LostListener, SessionManager, SessionStart, StallListener } from './managerContract.ts';

export interface SessionManagerOptions {
  /** A backend without an adapter is answered with `backend_unavailable`. */
  adapters: Partial<Record<Backend, SessionAdapter>>;
  transcripts: Transcripts;
  /** Notes pid and tmux names, for a person and for the next daemon. */
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

  function hold(input: SessionStart): HeldSession {
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
    throw new DevflowError('internal', `Session ${sessionId} was neither started nor adopted by this daemon.`);
  }

  function refuseWhenStopping(): void {
    if (stopping) throw new DevflowError('shutting_down', 'The daemon is stopping and takes no new work.');
  }

  /** In its turn; none for what was asked for before the session was ended. */
  function inTurn<T>(held: HeldSession, work: () => Promise<T>): Promise<T> {
    return held.lock.run(async () => {
      refuseWhenStopping();
      if (held.ending) throw new DevflowError('shutting_down', `The agent of ${held.input.roleId} is being ended.`);
      return work();
    });
  }

  async function attach(held: HeldSession, adoptOnly: boolean): Promise<SessionHandle> {
    if (adoptOnly && held.handle && !held.lost) return held.handle;
    const { sessionId } = held.input;
    held.signals.note('start', 'asked');
    sessions.set(sessionId, held); // it may have waited behind the disposal that took it out
    watchStalls(held, (stall) => {
      for (const listener of [...stallListeners]) listener(sessionId, stall);
    });
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

  /** A dead agent's pane is still to be looked at; once it is gone its number is another's. */
  async function forgetPane(sessionId: string, adapter: SessionAdapter): Promise<void> {
    try {
      if (!(await adapter.attachPoint?.(sessionId))) await store.saveAttachment(sessionId, { sessionId });
    } catch (err) {
      log.warn({ err, sessionId }, 'it is not known whether its pane is there');
    }
  }

  async function attached(held: HeldSession, handle: SessionHandle): Promise<void> {
    await watch(held, handle, { transcripts, log, onExit: (exit) => lose(held, exit.reason) });
    await store.saveAttachment(handle.sessionId, handle);
  }

  function lose(held: HeldSession, reason: string): void {
    const { sessionId, roleId, runId } = held.input;
    held.lost = true;
    held.stall = undefined;
    held.signals.note('exit', reason);
    void held.lock.run(async () => {
      if (held.lost && !stopping) await forgetPane(held.input.sessionId, held.adapter);
    });
    const error = new DevflowError('pane_briefly_unresponsive', `The agent of ${roleId} ended: ${reason}.`, { runId });
    for (const listener of [...lostListeners]) listener(sessionId, error);
  }

  async function probeHeld(held: HeldSession): Promise<ProbeResult> {
    const result = await held.adapter.probe(held.handle ?? { sessionId: held.input.sessionId });
    held.signals.note('probe', result.alive ? (result.hint ?? 'alive') : `dead: ${result.hint ?? 'no reason given'}`);
    return result;
  }

  /** An agent that was never attached (its start failed) is started; that is all the recovery there is for it. */
  async function revive(held: HeldSession, how: 'resume' | 'rebootstrap'): Promise<void> {
    const { handle } = held;
    if (!handle) await attach(held, false);
    else await attached(held, await held.adapter[how](handle));
  }

  /** At the adapter first, out of turn: what is under way may wait for a person, and ends only with its agent. */
  function end(held: HeldSession): Promise<void> {
    held.ending ??= detach(held, 'dispose')
      .then(() => held.lock.run(() => forget(held)))
      .finally(() => {
        held.ending = undefined;
      });
    return held.ending;
  }

  async function forget(held: HeldSession): Promise<void> {
    const { sessionId } = held.input;
    // What was under way may have got its agent after all.
    if (held.handle || held.unwatchStalls) await detach(held, 'dispose');
    await held.capturing;
    await transcripts.flush(sessionId).catch((err: unknown) => log.warn({ err, sessionId }, 'transcript lost'));
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

    async sendPrompt(sessionId, envelope) {
      refuseWhenStopping();
      const held = get(sessionId);
      return inTurn(held, async () => {
        const { handle } = held;
        if (!handle) throw new DevflowError('prompt_send_transient', `Session ${sessionId} has no agent yet.`);
        const answer = await retrySend(
          () => held.adapter.sendPrompt(handle, envelope),
          retryDelaysMs,
          () => !stopping && !held.ending,
          (error) => held.signals.note('prompt', `refused, tried again: ${error.message}`),
        );
        held.signals.note('prompt', `taken: ${envelope.phaseKey} attempt ${envelope.attempt}`);
        return answer;
      });
    },

    /** Outside the lock: a probe must answer while a prompt is being delivered. */
    async probe(sessionId) {
      return probeHeld(get(sessionId));
    },

    async recover(sessionId, how) {
      refuseWhenStopping();
      const held = get(sessionId);
      return inTurn(held, async () => {
        await probeHeld(held);
        try {
          await revive(held, how);
          const { alive, hint } = await held.adapter.probe(held.handle ?? { sessionId });
          if (!alive)
            throw new DevflowError('pane_briefly_unresponsive', `After ${how} the agent is not alive: ${hint}.`);
          held.signals.note('recover', `done (${how})`);
          held.signals.note('probe', hint ?? 'alive');
          return hint === undefined ? {} : { hint };
        } catch (error) {
          held.signals.note('recover', `failed (${how}): ${messageOf(error)}`);
          throw error;
        }
      });
    },

    async disposeRun(runId, recorded = []) {
      const ofRun = [...sessions.values()].filter(({ input }) => input.runId === runId);
      const unheld = recorded.filter(({ sessionId }) => !sessions.has(sessionId));
      await Promise.all([
        ...ofRun.map(end),
        ...unheld.map(async ({ sessionId, backend }) => {
          const adapter = adapters[backend];
          await adapter?.dispose({ sessionId, sessionDir: sessionDirOf({ runId, sessionId }) });
          if (adapter) await forgetPane(sessionId, adapter);
        }),
      ]);
    },

    onLost(listener) {
      lostListeners.add(listener);
      return () => lostListeners.delete(listener);
    },

    onStall(listener) {
      stallListeners.add(listener);
      return () => stallListeners.delete(listener);
    },

    stallOf: (sessionId) => sessions.get(sessionId)?.stall,

    running() {
      return [...sessions.values()].flatMap(({ input, handle, lost }) => {
        const { sessionId, roleId } = input;
        return handle?.pid === undefined || lost ? [] : [{ sessionId, roleId, pid: handle.pid }];
      });
    },

    async why(sessionId) {
      const held = sessions.get(sessionId);
      const seen = held?.signals.list() ?? [];
      // Also of one that is still being started: that is when it may wait for a person.
      const told = (await held?.adapter.explain?.(held.handle ?? { sessionId })) ?? [];
      // A stall that an adapter tells itself is the one that was noted here when it was told.
      const isTold = ({ source, fact }: SessionSignal) => told.some((by) => by.source === source && by.fact === fact);
      const signals = [...seen.filter((signal) => !isTold(signal)), ...told].sort(
        (a, b) => a.at.getTime() - b.at.getTime(),
      );
      return { sessionId, ...verdictOf(signals), signals };
    },

    async shutdown({ deadlineMs }) {
      stopping = true;
      const hung = await releaseAll([...sessions.values()], transcripts, deadlineMs, log);
      sessions.clear();
      return { hung };
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
