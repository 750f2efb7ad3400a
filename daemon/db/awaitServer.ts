import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';
import { isPassing, reason } from './pgErrors.ts';
import { refusal } from './refusal.ts';

const OLDEST = 140_000;
/** A server that restarts, recovers from a crash or is promoted after a fail-over takes connections again within this time. */
export const PATIENCE_MS = 60_000;
const POLL_MS = 100;
/** A slow server may take this long for its first answer, however short the patience is. */
const FIRST_ANSWER_MS = 4_000;
const ANSWER_MS = 1_000;
/** A shorter wait is no news. */
const QUIET_MS = 1_000;

/** A wait for a server that cannot be used yet. */
export interface DatabaseWait {
  /** The server that devflow waits for, as a noun. */
  name: string;
  why: string;
  /** The longest that it waits, from the start on. */
  patienceMs: number;
}

export interface Patience {
  patienceMs?: number;
  /** Learns of a wait, and of each new reason for it. */
  onWaiting?(wait: DatabaseWait): void;
  /** Ends the wait. */
  signal?: AbortSignal;
}

/** Reports a wait once it is news. */
export function waitTeller(name: string, { patienceMs = PATIENCE_MS, onWaiting }: Patience): (why: string) => void {
  const begun = performance.now();
  let last: string | undefined;
  return (why) => {
    if (why === last || performance.now() - begun < QUIET_MS) return;
    last = why;
    onWaiting?.({ name, why, patienceMs });
  };
}

/**
 * Checks that the server accepts the login, takes writes and is new enough. Waits for one that is not there, starts or recovers.
 * Errors call it `name`. Throws `db_unreachable`. `check` looks further, once the server can be used; what it cannot reach is
 * waited for as well.
 */
export async function awaitServer(
  pool: pg.Pool,
  name: string,
  patience: Patience = {},
  check: Check = async () => {},
): Promise<void> {
  const { patienceMs = PATIENCE_MS, signal } = patience;
  const deadline = performance.now() + patienceMs;
  const tell = waitTeller(name, patience);
  for (let shortest = FIRST_ANSWER_MS; ; shortest = ANSWER_MS) {
    const fault = await lookFor(Math.max(shortest, deadline - performance.now()), pool, name, check);
    if (fault === undefined) return;
    if (!fault.passes || performance.now() >= deadline) throw fault.error(fault.passes ? patienceMs : 0);
    tell(fault.why);
    await pause(signal);
  }
}

/** Throws a `DevflowError` if the server cannot be used. */
type Check = (pool: pg.Pool, name: string) => Promise<void>;

interface Fault {
  why: string;
  /** It may pass without anybody's doing. */
  passes: boolean;
  error(waitedMs: number): DevflowError;
}

/** The pool reads its limit for each new connection. */
async function lookFor(limitMs: number, pool: pg.Pool, name: string, check: Check): Promise<Fault | undefined> {
  const { connectionTimeoutMillis: usual = limitMs } = pool.options;
  pool.options.connectionTimeoutMillis = Math.ceil(Math.min(usual, limitMs));
  try {
    return await look(pool, name, check);
  } finally {
    pool.options.connectionTimeoutMillis = usual;
  }
}

async function look(pool: pg.Pool, name: string, check: Check): Promise<Fault | undefined> {
  try {
    const { rows } = await pool.query(
      `SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS "isStandby",
         current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
    );
    const fault = whyUnusable(rows[0], name);
    if (fault === undefined) await check(pool, name);
    return fault;
  } catch (error) {
    if (error instanceof DevflowError) return { why: error.message, passes: false, error: () => error };
    return { why: reason(error), passes: isPassing(error), error: (waitedMs) => refusal(error, name, waitedMs) };
  }
}

interface Server {
  version: number;
  isStandby: boolean;
  isReadOnly: boolean;
}

function whyUnusable({ version, isStandby, isReadOnly }: Server, name: string): Fault | undefined {
  const unusable = (why: string, recoveryHint: string, passes: boolean): Fault => ({
    why,
    passes,
    error: () => new DevflowError('db_unreachable', `${name} ${why}.`, { recoveryHint }),
  });
  if (version < OLDEST) {
    const why = `is PostgreSQL ${Math.floor(version / 10_000)}: devflow needs 14 or later`;
    return unusable(why, 'Upgrade the server, or use the embedded database.', false);
  }
  if (isStandby) {
    const hint = 'Set the URL of the primary server, or promote this one, then run devflow up again.';
    return unusable('is a standby: it recovers from another server, and takes no writes', hint, true);
  }
  if (isReadOnly) {
    const hint =
      'Set default_transaction_read_only to off for this role and database, or set the URL of the primary server.';
    return unusable('takes no writes: its transactions are read-only', hint, true);
  }
  return undefined;
}

async function pause(signal?: AbortSignal): Promise<void> {
  await sleep(POLL_MS, undefined, { signal }).catch((cause: unknown) => {
    throw new DevflowError('shutting_down', 'devflow was stopped while it waited for its database.', { cause });
  });
}
