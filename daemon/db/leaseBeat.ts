import type pg from 'pg';
import { damageError } from '../../schemas/errors/databaseDamage.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { steadyNow } from '../../schemas/time/steadyTime.ts';

/** SQL on a row of `daemon_lease`: true if its daemon ended in order, or was fenced. */
export const IS_STOPPED = '(stopped_at IS NOT NULL OR epoch = 0)';

/** A host is silent if it has not renewed its lease for so long. A loaded machine may miss some beats. */
export const SILENT_MS = 5_000;

/** Learns the database's time from the answers about the lease. */
export interface LeaseTime {
  /** The database's time in ms, and when it was asked, by the steady clock. */
  heard(databaseMs: number, askedAt: number): void;
  /** The lead of this machine's clock at the last answer, in ms. */
  skewMs(): number | null;
}

interface LeaseOptions {
  host: string;
  epoch: number;
  /** When the lease was taken, by the database's clock. */
  beatAt: Date;
  time?: LeaseTime;
  ttlMs: number;
  beatMs: number;
  onLost(error: DevflowError): void;
}

/** Extra time after the deadline: a process that was stopped may have an unread answer in its socket. */
const GRACE_MS = 100;

/** A beat has the time when it was sent: a late beat must not show a dead host as alive. */
const RENEW = `UPDATE daemon_lease l
  SET beat_at = greatest(former.beat_at, least(clock_timestamp(), to_timestamp($3::float8 / 1000))), clock_skew_ms = $4
  FROM (SELECT host, beat_at FROM daemon_lease WHERE host = $1 AND epoch = $2 FOR UPDATE) former
  WHERE l.host = former.host
  RETURNING former.beat_at AS former, l.beat_at AS "beatAt", extract(epoch FROM clock_timestamp())::float8 * 1000 AS "databaseMs"`;

/**
 * Renews the lease until the returned function is called or the leadership is lost. It is lost if the connection ended,
 * the row has another epoch (`fenced`), or a beat is unanswered for `ttlMs`. Calls `onLost` at most once, then ends the
 * connection.
 *
 * A lease without the last beat is from an earlier time: a backup was restored under this daemon. It knows what the log
 * no longer has, so it ends. The next daemon reads the log.
 *
 * The age of an unanswered beat counts, not the age of the last answered one. After SIGSTOP or a sleep of the machine,
 * a process may still hold the lock. Its next beat finds out.
 */
export function keepLease(client: pg.Client, options: LeaseOptions): () => void {
  const { host, epoch, time, ttlMs, beatMs, onLost } = options;
  let { beatAt } = options;
  let over = false;
  let waiting = false;
  let deadline: NodeJS.Timeout | undefined;
  /** The database's clock at its last answer, and this process's when it came. */
  let answered = { databaseMs: beatAt.getTime(), ownMs: steadyNow() };

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
    const askedAt = steadyNow();
    const sentAtMs = answered.databaseMs + askedAt - answered.ownMs;
    client.query(RENEW, [host, epoch, sentAtMs, time?.skewMs() ?? null]).then(
      ({ rows: [row] }) => {
        waiting = false;
        clearTimeout(deadline);
        if (!row) return lose('fenced', 'another daemon has taken over');
        if (row.former < beatAt) return lose('db_unreachable', 'the database is in an earlier state than before');
        answered = { databaseMs: row.databaseMs, ownMs: steadyNow() };
        time?.heard(row.databaseMs, askedAt);
        beatAt = row.beatAt;
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
