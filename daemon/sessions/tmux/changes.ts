/** What a look found: an answer, or when to look again though nothing changed. */
export type Look<T> = { done: T } | { againMs?: number };

/** Those who wait for something to change, without asking again and again. */
export interface Changes {
  tell(): void;
  /**
   * Looks now and after every change until there is an answer; undefined when the time is up. Looks never overlap.
   * Throws the signal's reason.
   */
  until<T>(
    look: () => Look<T> | Promise<Look<T>>,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<T | undefined>;
}

export function createChanges(): Changes {
  const waiting = new Set<() => void>();
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
      const timer = setTimeout(go, Math.min(ms, 2 ** 31 - 1));
      waiting.add(go);
      signal?.addEventListener('abort', go, { once: true });
    });
  }

  return {
    tell() {
      count += 1;
      for (const go of [...waiting]) go();
    },
    async until(look, { timeoutMs, signal }) {
      const end = Date.now() + timeoutMs;
      for (;;) {
        signal?.throwIfAborted();
        const since = count;
        const found = await look();
        if ('done' in found) return found.done;
        signal?.throwIfAborted();
        const left = end - Date.now();
        if (left <= 0) return undefined;
        await changed(since, Math.min(left, Math.max(1, found.againMs ?? Number.POSITIVE_INFINITY)), signal);
      }
    },
  };
}
