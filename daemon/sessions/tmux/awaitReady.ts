import { DevflowError } from '../../../schemas/errors.ts';
import type { Observer } from './observer.ts';
import type { Waits } from './profile.ts';

/** Resolves when an agent can take a prompt or is at work. Throws when it has ended, or a person must act first. */
export async function awaitReady(
  observer: Observer,
  waits: Waits,
  who: { roleId: string; runId: string },
  signal: AbortSignal,
): Promise<void> {
  const ready = await observer.changes.until<true>(
    async () => {
      const { state, detail } = observer.verdict();
      if (state === 'DEAD') throw lost(`The agent of ${who.roleId} ended as it started: ${detail}.`, who.runId);
      if (state === 'BUSY') return { done: true };
      const silentMs = Date.now() - (observer.lastOutputAt() ?? 0);
      if (silentMs < waits.stableMs) return { againMs: waits.stableMs - silentMs };
      const { composer } = await observer.readScreen();
      const isReady = observer.verdict().state === 'READY' && composer !== undefined && observer.bracketedPaste();
      return isReady ? { done: true } : {};
    },
    { timeoutMs: waits.startMs, signal },
  );
  if (ready) return;
  const { state, detail, rule } = observer.verdict();
  if (state === 'DIALOG' || state === 'WAITING' || state === 'LOGIN' || state === 'QUOTA') {
    throw new DevflowError('backend_unavailable', `The agent of ${who.roleId} asks for a person: ${detail}.`, {
      runId: who.runId,
      recoveryHint: 'Answer it in its pane (devflow attach), then approve to try again.',
    });
  }
  throw lost(`The agent of ${who.roleId} did not get ready: ${state}, since ${rule}.`, who.runId);
}

function lost(message: string, runId: string): DevflowError {
  return new DevflowError('pane_briefly_unresponsive', message, { runId });
}
