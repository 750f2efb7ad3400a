import { type Client, connect } from '../../cli/client/connect.ts';
import { backoffMs } from '../../schemas/backoff.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { differingReleases } from '../../schemas/release.ts';
import type { NotificationName, NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { Link } from '../model/model.ts';
import { systemTimers, type Timers } from '../timers.ts';

/** Everything that says what to read again; events and transcripts are followed where they are shown. */
const KINDS: NotificationName[] = [
  ...(['run.state_changed', 'run.progress', 'phase.state_changed', 'session.state_changed'] as const),
  ...(['approval.created', 'approval.resolved', 'artifact.validated', 'heartbeat'] as const),
];
const RETRY = { firstMs: 100, longestMs: 2_000 };

export interface Linked {
  /** Tries at once, also while it waits to try again. */
  connect(): void;
  readonly client: Client | undefined;
  close(): void;
}

/**
 * The connection to the daemon with the one subscription to all that happens. A daemon that goes away is waited for; one that
 * was never there is a person's matter.
 */
export function createLink(options: {
  socketPath: string;
  version: string;
  /** Absent where nothing was built. */
  build?: string;
  onLink(link: Link): void;
  onClient(client: Client | undefined): void;
  onNotification(notification: NotificationParams): void;
  /** Another in tests. */
  open?: (socketPath: string) => Promise<Client>;
  timers?: Timers;
}): Linked {
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
        next.subscribe({ kinds: KINDS }, (notification) => {
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
    later();
  }

  function failed(error: unknown): void {
    if (wasUp) {
      later();
      return;
    }
    const why = error instanceof DevflowError ? `No daemon answers (${error.code}).` : String(error);
    onLink({ state: 'none', starting: false, why });
  }

  function later(): void {
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
