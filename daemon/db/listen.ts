import pg from 'pg';
import { backoffMs } from '../../schemas/backoff.ts';

export interface Listening {
  close(): Promise<void>;
}

/** Half a minute at most: whoever listens also looks by itself from time to time. */
const BACKOFF = { firstMs: 100, longestMs: 30_000 };

/**
 * Hears the notices of a channel on a connection of its own, and opens it again after a loss. `onOpen` is called each time it
 * begins to hear: what was sent before is lost, so the caller must look.
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
    fresh
      .connect()
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
