import type pg from 'pg';
import { damageError } from '../../schemas/databaseDamage.ts';
import { DevflowError } from '../../schemas/errors.ts';

interface LeaseOptions {
  host: string;
  epoch: number;
  ttlMs: number;
  beatMs: number;
  /** Milliseconds of the database's clock when the lease was taken. */
  takenAtMs: number;
  onLost(error: DevflowError): void;
}

/** Extra time after the deadline: a process that was stopped may have an unread answer in its socket. */
const GRACE_MS = 100;

/** A beat says when it was sent: one that is on its way for long must not show a dead host as alive. */
const RENEW = `UPDATE daemon_lease SET beat_at = greatest(beat_at, least(clock_timestamp(), to_timestamp($3::float8 / 1000)))
  WHERE host = $1 AND epoch = $2 RETURNING extract(epoch FROM clock_timestamp())::float8 * 1000 AS "databaseMs"`;

/**
 * Renews the lease until the returned function is called or the leadership is lost: the connection ended, the row has another
 * epoch (`fenced`), or a beat had no answer for `ttlMs`. Calls `onLost` at most once, then ends the connection.
 *
 * The age of an unanswered beat counts, not the age of the last answered one. A process that continues after SIGSTOP or a sleep
 * of the machine may still hold the lock, and its next beat finds out.
 */
export function keepLease(
  client: pg.Client,
  { host, epoch, ttlMs, beatMs, takenAtMs, onLost }: LeaseOptions,
): () => void {
  let over = false;
  let waiting = false;
  let deadline: NodeJS.Timeout | undefined;
  /** The database's clock at its last answer, and this process's when it came. */
  let answered = { databaseMs: takenAtMs, ownMs: performance.now() };

  function stop(): void {
    over = true;
    clearInterval(beating);
    clearTimeout(deadline);
  }

  function lose(code: 'fenced' | 'db_unreachable', why: string, cause?: unknown): void {
    if (over) return;
    stop();
    // Do not wait: the connection itself may hang.
    client.end().catch(() => {});
    const message = `The leadership of the database is lost: ${why}.`;
    onLost(damageError(cause) ?? new DevflowError(code, message, { cause }));
  }

  function beat(): void {
    if (waiting) return;
    waiting = true;
    deadline = setTimeout(() => {
      deadline = setTimeout(() => lose('db_unreachable', `a beat was not written within ${ttlMs} ms`), GRACE_MS);
    }, ttlMs);
    const sentAtMs = answered.databaseMs + performance.now() - answered.ownMs;
    client.query(RENEW, [host, epoch, sentAtMs]).then(
      ({ rows: [row] }) => {
        waiting = false;
        clearTimeout(deadline);
        if (row) answered = { databaseMs: row.databaseMs, ownMs: performance.now() };
        else lose('fenced', 'another daemon has taken over');
      },
      (error) => lose('db_unreachable', 'its connection failed', error),
    );
  }

  const beating = setInterval(beat, beatMs);
  beating.unref();
  client.on('error', (error) => lose('db_unreachable', 'its connection failed', error));
  client.on('end', () => lose('db_unreachable', 'its connection ended'));
  return stop;
}
