import { DevflowError } from '../../../../schemas/errors.ts';
import type { Observer } from '../observe/observer.ts';
import type { Timings } from '../profile.ts';
import { ENDED_BY_OTHERS } from './deliveryStep.ts';

/**
 * Resolves when an agent can take a prompt or is at work; throws when it has ended, or did not get there in time. While a
 * person must act first, the time stands still.
 */
export async function awaitReady(
  observer: Observer,
  waits: Timings,
  who: { roleId: string; runId: string },
  signal: AbortSignal,
): Promise<void> {
  const ready = await observer.changes.until<true>(
    async () => {
      const { state, detail } = observer.status();
      if (state === 'DEAD') throw lost(`The agent of ${who.roleId} ended as it started: ${detail}.`, who.runId);
      if (state === 'BUSY') return { done: true };
      const silentMs = Date.now() - (observer.lastOutputAt() ?? 0);
      if (silentMs < waits.stableMs) return { againMs: waits.stableMs - silentMs };
      const { composer } = await observer.readScreen();
      const verdict = observer.status();
      const isReady = verdict.state === 'READY' && composer !== undefined && observer.bracketedPaste();
      // Some draw their composer a moment before the dialog that comes first (Codex, its question of trust).
      const early = waits.settleStartMs - (Date.now() - (observer.firstReadyAt() ?? 0));
      if (isReady) return early > 0 ? { againMs: early } : { done: true };
      return { againMs: observer.changesIn(verdict), unlimited: ENDED_BY_OTHERS.includes(verdict.state) };
    },
    { timeoutMs: waits.startMs, signal },
  );
  if (ready) return;
  const { state, rule } = observer.status();
  throw lost(`The agent of ${who.roleId} did not get ready: ${state}, since ${rule}.`, who.runId);
}

function lost(message: string, runId: string): DevflowError {
  return new DevflowError('pane_briefly_unresponsive', message, { runId });
}
