import type { Logger } from 'pino';
import { backoffMs, steadyNow } from '../../../schemas/time/steadyTime.ts';
import type { ServerAway } from '../runEngine.ts';

/** Every poll costs about a millisecond. */
const POLL_MS = 5_000;
/** While the server is away, the polls come closer together at first. */
const RETRY = { firstMs: 250, longestMs: 5_000 };

/** The server answers again, or for the first time. */
export interface ServerThere {
  /** It is another namespace than before, if there was one. */
  hasNewNamespace: boolean;
  /** Time since the last answer. */
  unansweredMs: number;
}

/** Knows whether the server answers. Nobody waits for it longer than for one question. */
export interface ServerWatch {
  /** As the last question showed. */
  away(): ServerAway | undefined;
  /** Asks now, or joins a question that is under way. */
  check(): Promise<ServerAway | undefined>;
  /** Resolves when the server is away; never after `signal`. */
  untilAway(signal: AbortSignal): Promise<ServerAway>;
  stop(): void;
}

/**
 * Calls `onThere` when the server answers for the first time or again, and when its namespace was made again. Temporal
 * may then have forgotten what it was told. Nothing else would tell it of a run that only waits for a time-out.
 */
export function watchServer(options: {
  /** Rejects within a few seconds. */
  readNamespaceId(): Promise<string>;
  /** Why the server does not answer, as the end of a sentence. */
  reasonOf(error: unknown): string;
  onThere(there: ServerThere): void;
  /** `away` has another answer. */
  onChange(): void;
  now(): string;
  log: Pick<Logger, 'warn' | 'info'>;
  pollMs?: number;
}): ServerWatch {
  const { readNamespaceId, reasonOf, onThere, onChange, now, log, pollMs = POLL_MS } = options;
  let known: string | undefined;
  let away: ServerAway | undefined;
  let failures = 0;
  let answeredAt = steadyNow();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<ServerAway | undefined> | undefined;
  const waiting = new Set<(away: ServerAway) => void>();

  function there(id: string): void {
    const before = away;
    const hasNewNamespace = id !== known;
    const isNews = before !== undefined || hasNewNamespace;
    const unansweredMs = steadyNow() - answeredAt;
    answeredAt = steadyNow();
    if (before || (known !== undefined && isNews)) log.info({ hasNewNamespace }, 'Temporal answers again');
    known = id;
    away = undefined;
    failures = 0;
    if (before) onChange();
    if (isNews) onThere({ hasNewNamespace, unansweredMs });
  }

  function gone(err: unknown): void {
    const before = away;
    failures += 1;
    away = { since: before?.since ?? now(), reason: reasonOf(err) };
    if (before) return;
    log.warn({ err }, 'Temporal does not answer');
    onChange();
    for (const resolve of waiting) resolve(away);
    waiting.clear();
  }

  async function ask(): Promise<ServerAway | undefined> {
    clearTimeout(timer);
    try {
      const id = await readNamespaceId();
      if (!isStopped) there(id);
    } catch (error) {
      if (!isStopped) gone(error);
    }
    asking = undefined;
    if (!isStopped) timer = setTimeout(check, away ? backoffMs(failures - 1, RETRY) : pollMs);
    return away;
  }

  function check(): Promise<ServerAway | undefined> {
    asking ??= ask();
    return asking;
  }

  void check();
  return {
    away: () => away,
    check,
    untilAway(signal) {
      if (away) return Promise.resolve(away);
      return new Promise((resolve) => {
        waiting.add(resolve);
        signal.addEventListener('abort', () => waiting.delete(resolve), { once: true });
      });
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
