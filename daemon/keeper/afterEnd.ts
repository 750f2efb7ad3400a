import { KEPT_EXIT } from '../../schemas/keeper/keptExit.ts';
import type { KeeperReason, KeeperRecord } from '../../schemas/keeper/record.ts';
import { backoffMs } from '../../schemas/time/steadyTime.ts';

/** A daemon that was ready and lived so long was started well. */
const STEADY_SECONDS = 10;
/** After so many crashes in a row, each within STEADY_SECONDS of its start, another start changes nothing. */
export const MOST_CRASHES = 5;
/**
 * Postgres frees the lock of a lost connection within some seconds. If the lock is held longer, another daemon leads.
 */
const HELD_SECONDS = 180;
const BACKOFF = { firstMs: 500, longestMs: 30_000 };

export interface Ending {
  /** The exit code; above 128 after a signal. `NaN` for a daemon that this keeper did not start. */
  code: number;
  /** True if it served its socket. */
  wasReady: boolean;
}

export interface Next {
  record: KeeperRecord;
  /** Until the next start; undefined if the keeper gave up. */
  delayMs: number | undefined;
}

/** Decides after the end of a daemon that nobody stopped: start another after a while, or none. Pure. */
export function afterEnd(
  before: KeeperRecord,
  { code, wasReady }: Ending,
  { bootSeconds, now }: { bootSeconds: number; now: string },
): Next {
  // A start that fails may take longer than that.
  const lasted = wasReady && bootSeconds - before.startedAt >= STEADY_SECONDS;
  const reason = reasonOf(code);
  const crashes = (lasted ? 0 : before.crashes) + (reason === 'crash' ? 1 : 0);
  const failures = lasted ? 0 : before.failures;
  const heldAt = reason === 'other daemon' ? (before.heldAt ?? bootSeconds) : undefined;
  const since = wasReady ? now : (before.since ?? now);
  const record = { ...before, reason, since, crashes, failures: failures + 1, heldAt };
  const isOver =
    reason === 'person' || crashes >= MOST_CRASHES || (heldAt !== undefined && bootSeconds - heldAt >= HELD_SECONDS);
  if (isOver) return { record: { ...record, state: 'gave up' }, delayMs: undefined };
  return { record: { ...record, state: 'waiting' }, delayMs: backoffMs(failures, BACKOFF) };
}

function reasonOf(code: number): KeeperReason {
  if (code === KEPT_EXIT.database) return 'database';
  if (code === KEPT_EXIT.otherDaemon) return 'other daemon';
  return code === KEPT_EXIT.person ? 'person' : 'crash';
}
