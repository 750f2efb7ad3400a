import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';
import { pidExists } from '../../schemas/processes.ts';

const LOCK = `hashtextextended('devflow:session-manager', 0)`;
const HOST_LOCK = `hashtextextended('devflow:session-manager:' || $1, 0)`;
/** Postgres frees the lock of a killed daemon after 3 to 6 ms. A loaded machine takes longer. */
const DEAD_HOLDER_MS = 2_000;

interface Holder {
  pid: number;
  machine: string | null;
  version: string | null;
  takenAt: string;
  /** Time since it last renewed its lease, by the database's clock. */
  silentMs: number;
}

/** How a daemon wants to lead its database. */
export interface Claim {
  /** The id of this host. */
  host: string;
  /** True: one of several daemons, each on its own host. False: the only one. */
  shared: boolean;
  ttlMs: number;
}

/**
 * Takes the advisory locks on this connection. A daemon that leads alone takes the database's lock. A shared one takes that
 * lock in shared mode, and its host's lock. Returns the pid of the Postgres backend that holds them. Throws `daemon_running`.
 */
export async function takeLocks(client: pg.Client, claim: Claim): Promise<number> {
  const deadline = performance.now() + DEAD_HOLDER_MS;
  for (;;) {
    const missing = await tryLocks(client, claim);
    if (missing === null) return backendOf(client);
    const holder = await readHolder(client, missing === 'host' ? claim.host : null);
    const dying = holder?.machine === hostname() && holder.pid !== process.pid && !pidExists(holder.pid);
    // While another host migrates, it holds the lock of the whole database.
    const passing = claim.shared && missing === 'database';
    if (!(dying || passing) || performance.now() > deadline) throw held(holder, claim);
    await sleep(20);
  }
}

/** Runs `change` while this connection holds the database's lock alone. Returns false if a daemon uses the database. */
export async function alone(client: pg.Client, change: () => Promise<void>): Promise<boolean> {
  if (!(await taken(client, `pg_try_advisory_lock(${LOCK})`))) return false;
  try {
    await change();
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${LOCK})`);
  }
  return true;
}

/** Takes the locks. Returns the one that another connection holds, or null if it has taken all. */
async function tryLocks(client: pg.Client, { host, shared }: Claim): Promise<'database' | 'host' | null> {
  if (!shared) return (await taken(client, `pg_try_advisory_lock(${LOCK})`)) ? null : 'database';
  if (!(await taken(client, `pg_try_advisory_lock_shared(${LOCK})`))) return 'database';
  if (await taken(client, `pg_try_advisory_lock(${HOST_LOCK})`, [host])) return null;
  await client.query(`SELECT pg_advisory_unlock_shared(${LOCK})`);
  return 'host';
}

async function taken(client: pg.Client, call: string, values: string[] = []): Promise<boolean> {
  const { rows } = await client.query(`SELECT ${call} AS taken`, values);
  return rows[0].taken;
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS backend');
  return rows[0].backend;
}

/** The daemon of `host`, else the one that last renewed its lease. Older tables store the machine in the column `host`. */
async function readHolder(client: pg.Client, host: string | null): Promise<Holder | undefined> {
  try {
    const { rows } = await client.query(
      `SELECT pid, coalesce(to_jsonb(l)->>'machine', l.host) AS machine, version, taken_at AS "takenAt",
         (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS "silentMs"
       FROM daemon_lease l ORDER BY (l.host IS NOT DISTINCT FROM $1) DESC, beat_at DESC LIMIT 1`,
      [host],
    );
    return rows[0] && { ...rows[0], takenAt: rows[0].takenAt.toISOString() };
  } catch (error) {
    // The table does not exist yet: the other daemon is creating it.
    if (error instanceof pg.DatabaseError && error.code === '42P01') return undefined;
    throw error;
  }
}

function held(holder: Holder | undefined, { ttlMs }: Claim): DevflowError {
  if (holder === undefined)
    return new DevflowError('daemon_running', 'Another devflow daemon is starting on this database.');
  const { pid, machine, version, takenAt, silentMs } = holder;
  const who = `Another devflow daemon (pid ${pid} on ${machine}, version ${version ?? 'unknown'}) has led this database since ${takenAt}`;
  const data = { pid, host: machine, version, since: takenAt, silentMs };
  if (silentMs <= ttlMs) return new DevflowError('daemon_running', `${who}.`, { data });
  return new DevflowError(
    'daemon_running',
    `${who}, but has not renewed its lease for ${Math.round(silentMs / 1000)} s: it is stopped or hangs.`,
    {
      data,
      recoveryHint: `Continue it (kill -CONT ${pid}) or end it (kill -KILL ${pid}), then try again.`,
    },
  );
}
