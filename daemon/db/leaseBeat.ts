import type pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';

interface LeaseOptions {
  epoch: number;
  ttlMs: number;
  beatMs: number;
  onLost(error: DevflowError): void;
}

/** After a deadline passed: time for an answer that lies in the socket of a process that was itself stopped until now. */
const GRACE_MS = 100;

/**
 * Beats until the returned function is called, or until the lead is lost: the connection ended, the row has another epoch,
 * or a beat was not answered for `ttlMs`. Only another epoch is `fenced`; the rest is `db_unreachable`. Calls `onLost` at most once, and then ends the connection.
 *
 * What counts is the age of an unanswered beat, not of the last answered one: a process that was stopped (SIGSTOP, a
 * sleeping laptop) and goes on still holds the lock when its connection lives, and finds out with its next beat.
 */
export function keepLease(client: pg.Client, { epoch, ttlMs, beatMs, onLost }: LeaseOptions): () => void {
  let over = false;
  let waiting = false;
  let deadline: NodeJS.Timeout | undefined;

  function stop(): void {
    over = true;
    clearInterval(beating);
    clearTimeout(deadline);
  }

  function lose(code: 'fenced' | 'db_unreachable', why: string, cause?: unknown): void {
    if (over) return;
    stop();
    // Without waiting: the connection may be the thing that hangs.
    client.end().catch(() => {});
    onLost(new DevflowError(code, `The lead over the database is lost: ${why}.`, { cause }));
  }

  function beat(): void {
    if (waiting) return;
    waiting = true;
    deadline = setTimeout(() => {
      deadline = setTimeout(() => lose('db_unreachable', `a beat was not written within ${ttlMs} ms`), GRACE_MS);
    }, ttlMs);
    client.query('UPDATE daemon_lease SET beat_at = now() WHERE id = 1 AND epoch = $1', [epoch]).then(
      ({ rowCount }) => {
        waiting = false;
        clearTimeout(deadline);
        if (rowCount !== 1) lose('fenced', 'another daemon has taken over');
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
