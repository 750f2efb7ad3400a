import { type Client, connect } from '../../cli/client/connect.ts';
import { backoffMs } from '../../schemas/backoff.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { differingReleases } from '../../schemas/files/release.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { Link } from '../model/model.ts';
import { systemTimers, type Timers } from '../system/timers.ts';
import { SUBSCRIBED } from './stale.ts';

const RETRY = { firstMs: 100, longestMs: 2_000 };

export interface DaemonLink {
  /** Connects at once, also during the wait before a retry. */
  connect(): void;
  readonly client: Client | undefined;
  close(): void;
}

/**
 * The connection to the daemon, and the subscription that tells which answers are stale. It reconnects to a daemon that was
 * there before. A daemon that never answered must be started by a person.
 */
export function createLink(options: {
  socketPath: string;
  version: string;
  /** Absent when the dashboard runs from sources. */
  build?: string;
  onLink(link: Link): void;
  onClient(client: Client | undefined): void;
  onNotification(notification: NotificationParams): void;
  /** Tests replace it. */
  open?: (socketPath: string) => Promise<Client>;
  timers?: Timers;
}): DaemonLink {
  const { socketPath, version, build, onLink, onClient, onNotification } = options;
  const { open = connect, timers = systemTimers } = options;
  let client: Client | undefined;
  let wasUp = false;
  let lostAt = 0;
  let failures = 0;
  let cancel = () => {};
  let closed = false;
  let trying = false;

  async function attempt(): Promise<void> {
    if (trying || client || closed) return;
    trying = true;
    cancel();
    let opened: Client | undefined;
    try {
      const next = await open(socketPath);
      opened = next;
      const [status] = await Promise.all([
        next.call('daemon.status'),
        next.subscribe({ kinds: SUBSCRIBED }, (notification) => {
          if (next === client) onNotification(notification);
        }),
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
      onLink({ state: 'up' });
      onClient(next);
      void next.closed.then(lost);
    } catch (error) {
      opened?.close();
      if (!closed) failed(error);
    } finally {
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
    if (wasUp) {
      retry();
      return;
    }
    const why = error instanceof DevflowError ? `No daemon answers (${error.code}).` : String(error);
    onLink({ state: 'none', starting: false, why });
  }

  function retry(): void {
    cancel = timers.after(backoffMs(failures, RETRY), () => void attempt());
    failures += 1;
  }

  return {
    connect: () => void attempt(),
    get client() {
      return client;
    },
    close() {
      closed = true;
      cancel();
      client?.close();
    },
  };
}
