import pg from 'pg';
import { backoffMs } from '../../schemas/time/steadyTime.ts';
import { connectClient } from './connect.ts';

export interface Listening {
  close(): Promise<void>;
}

/** At most half a minute: no caller relies on notices alone, each also reads the tables at intervals. */
const BACKOFF = { firstMs: 100, longestMs: 30_000 };

/**
 * Receives the notices of a channel on its own connection, and reconnects after a loss. Calls `onOpen` after each connect.
 * Postgres keeps no notices for a lost connection, so the caller must then read the tables.
 */
export function listen(
  config: pg.ClientConfig,
  channel: string,
  { onNotice, onOpen }: { onNotice(payload: string): void; onOpen(): void },
): Listening {
  let client: pg.Client | undefined;
  let failures = 0;
  let again: NodeJS.Timeout | undefined;
  let closed = false;

  function lose(lost: pg.Client): void {
    if (closed || client !== lost) return;
    client = undefined;
    void lost.end().catch(() => {});
    again = setTimeout(open, backoffMs(failures, BACKOFF));
    failures += 1;
  }

  function open(): void {
    const fresh = new pg.Client({ ...config, keepAlive: true });
    client = fresh;
    fresh.on('error', () => lose(fresh));
    fresh.on('end', () => lose(fresh));
    fresh.on('notification', ({ payload }) => onNotice(payload ?? ''));
    connectClient(fresh)
      .then(() => fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`))
      .then(() => {
        failures = 0;
        onOpen();
      })
      .catch(() => lose(fresh));
  }

  open();
  return {
    async close() {
      closed = true;
      clearTimeout(again);
      await client?.end().catch(() => {});
    },
  };
}
