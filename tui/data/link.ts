import { type Client, connect } from '../../cli/client/connect.ts';
import type { EarlyRequests } from '../../cli/client/earlyRequests.ts';
import { PATIENCE } from '../../cli/client/silence.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { differingReleases } from '../../schemas/files/release.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import { backoffMs } from '../../schemas/time/steadyTime.ts';
import type { Link } from '../model/model.ts';
import { SUBSCRIPTION } from '../model/stale.ts';
import { systemTimers, type Timers } from '../system/timers.ts';

const RETRY = { firstMs: 100, longestMs: 2_000 };

export interface DaemonLink {
  /** Connects at once, also during the wait before a retry. */
  connect(): void;
  readonly client: Client | undefined;
  close(): void;
}

/**
 * The connection to the daemon, and the subscription that says which answers are stale. It reconnects to a daemon that was
 * there before, and to one that its keeper starts. Any other must be started by a person.
 */
export function createLink(options: {
  socketPath: string;
  version: string;
  /** Absent when the dashboard runs from sources. */
  build?: string;
  onLink(link: Link): void;
  /** With the status that it has read. Notifications since then follow. */
  onClient(client: Client | undefined, status?: RpcResult<'daemon.status'>): void;
  onNotification(notification: NotificationParams): void;
  /** The keeper's sentence while no daemon answers. `waits`: the keeper starts a daemon itself. */
  keeperNews?(): { sentence: string; waits: boolean } | undefined;
  /** For the first attempt. */
  early?: EarlyRequests;
  /** Tests replace it. */
  open?: (socketPath: string, early?: EarlyRequests) => Promise<Client>;
  timers?: Timers;
}): DaemonLink {
  const { socketPath, version, build, onLink, onClient, onNotification, keeperNews = () => undefined } = options;
  const { open = (path, sent) => connect(path, PATIENCE, sent), timers = systemTimers } = options;
  let { early } = options;
  let client: Client | undefined;
  /** Connected, and not known to be usable yet. */
  let opened: Client | undefined;
  let wasUp = false;
  /** A keeper waited. Another one may have replaced it, or its daemon may be starting. */
  let isExpected = false;
  let lostAt = 0;
  let failures = 0;
  /** The reason that was reported last. */
  let lastReported: string | undefined;
  let cancel = () => {};
  let closed = false;
  let trying = false;

  async function attempt(): Promise<void> {
    if (trying || client || closed) return;
    trying = true;
    cancel();
    try {
      const sent = early;
      early = undefined;
      const next = await open(socketPath, sent);
      opened = next;
      const before: NotificationParams[] = [];
      // Subscribe first, so that no change after a read is missed.
      const [, status] = await Promise.all([
        next.subscribe(SUBSCRIPTION, (notification) => {
          if (next === client) onNotification(notification);
          else before.push(notification);
        }),
        next.call('daemon.status'),
      ]);
      if (closed) return next.close();
      const differing = differingReleases(status.daemon, { version, build });
      if (differing) {
        next.close();
        return onLink({ state: 'other version', ...differing });
      }
      client = next;
      wasUp = true;
      failures = 0;
      lastReported = undefined;
      onLink({ state: 'up' });
      onClient(next, status);
      next.forgetEarly();
      for (const each of before) onNotification(each);
      void next.closed.then(lost);
    } catch (error) {
      opened?.close();
      if (!closed) failed(error);
    } finally {
      opened = undefined;
      trying = false;
    }
  }

  function lost(): void {
    client = undefined;
    lostAt = timers.now();
    onClient(undefined);
    if (closed) return;
    onLink({ state: 'away', since: lostAt });
    retry();
  }

  function failed(error: unknown): void {
    const news = keeperNews();
    isExpected ||= news?.waits === true;
    if (wasUp || isExpected) retry();
    const reason = error instanceof DevflowError ? `No daemon answers (${error.code}).` : String(error);
    const why = news?.sentence ?? (wasUp ? undefined : reason);
    if (why === lastReported) return;
    lastReported = why;
    onLink(wasUp ? { state: 'away', since: lostAt, why } : { state: 'none', starting: false, why: why ?? reason });
  }

  function retry(): void {
    cancel = timers.after(backoffMs(failures, RETRY), () => void attempt());
    failures += 1;
  }

  return {
    connect() {
      // Answer a person, even if nothing is new.
      lastReported = undefined;
      void attempt();
    },
    get client() {
      return client;
    },
    close() {
      closed = true;
      cancel();
      opened?.close();
      client?.close();
    },
  };
}
