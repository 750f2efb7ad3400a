import type { Logger } from 'pino';

/** Every poll costs about a millisecond. */
const POLL_MS = 5_000;

/**
 * Calls `onBack` when the server answers again, and when its namespace was made again: Temporal may then have forgotten what
 * it was told. Nothing else would tell it of a run that only waits for a time-out.
 */
export function watchServer(options: {
  readNamespaceId(): Promise<string>;
  onBack(): void;
  log: Pick<Logger, 'warn' | 'info'>;
  pollMs?: number;
}): { stop(): void } {
  const { readNamespaceId, onBack, log, pollMs = POLL_MS } = options;
  let known: string | undefined;
  let isAway = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function poll(): Promise<void> {
    try {
      const id = await readNamespaceId();
      if (isStopped) return;
      if (isAway || (known !== undefined && id !== known)) {
        log.info({ hasNewNamespace: id !== known }, 'Temporal answers again');
        onBack();
      }
      known = id;
      isAway = false;
    } catch (err) {
      if (!isAway && !isStopped) log.warn({ err }, 'Temporal does not answer');
      isAway = true;
    }
    if (!isStopped) timer = setTimeout(() => void poll(), pollMs);
  }

  void poll();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
