import { LONGEST_TIMER_MS } from '../../../../schemas/time/steadyTime.ts';

/**
 * The result of a look: an answer, or when to look again without a change. `unlimited` stops the time-out meanwhile.
 */
export type Look<T> = { done: T } | { againMs?: number; unlimited?: boolean };

/** `output`: the pane printed, and nothing but its screen may tell more. `evidence`: anything else. */
export type ChangeKind = 'evidence' | 'output';

/** Lets callers wait for changes without polling. */
export interface Changes {
  notify(kind?: ChangeKind): void;
  /** Calls the listener at each change, in the same turn of the event loop. Returns how to stop listening. */
  listen(listener: (kind: ChangeKind) => void): () => void;
  /**
   * Looks now and after every change until there is an answer; undefined after the time-out. The time-out pauses after
   * an `unlimited` look. Looks never overlap. Throws the signal's reason.
   */
  until<T>(
    look: () => Look<T> | Promise<Look<T>>,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<T | undefined>;
}

export function createChanges(): Changes {
  const waiting = new Set<() => void>();
  const listeners = new Set<(kind: ChangeKind) => void>();
  let count = 0;

  function changed(since: number, ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (count !== since) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        waiting.delete(go);
        signal?.removeEventListener('abort', go);
        resolve();
      };
      const timer = setTimeout(go, Math.min(ms, LONGEST_TIMER_MS));
      waiting.add(go);
      signal?.addEventListener('abort', go, { once: true });
    });
  }

  return {
    notify(kind = 'evidence') {
      count += 1;
      for (const go of [...waiting]) go();
      for (const listener of [...listeners]) listener(kind);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async until(look, { timeoutMs, signal }) {
      let left = timeoutMs;
      for (;;) {
        signal?.throwIfAborted();
        const [since, lookedAt] = [count, performance.now()];
        const found = await look();
        if ('done' in found) return found.done;
        signal?.throwIfAborted();
        const most = found.unlimited ? Number.POSITIVE_INFINITY : left - (performance.now() - lookedAt);
        if (most <= 0) return undefined;
        await changed(since, Math.min(most, Math.max(1, found.againMs ?? Number.POSITIVE_INFINITY)), signal);
        if (!found.unlimited) left -= performance.now() - lookedAt;
      }
    },
  };
}
