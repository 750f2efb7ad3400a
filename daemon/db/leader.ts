import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';
import { pidExists } from '../../schemas/processes.ts';
import { keepLease } from './leaseBeat.ts';
import type { Database } from './open.ts';
import { unreachable } from './pgErrors.ts';

const LOCK = `hashtextextended('devflow:session-manager', 0)`;
const TTL_MS = 3_000;
const BEAT_MS = 1_000;
/** A killed holder frees the lock after 3 to 6 ms; this allows for a loaded machine. */
const DEAD_HOLDER_MS = 2_000;

export interface LeadershipOptions {
  /** Called once if the leadership is or may be lost. The caller must end the process. */
  onLost(error: DevflowError): void;
  /** The version of this devflow, for the error that another daemon prints. */
  version?: string;
  ttlMs?: number;
  beatMs?: number;
}

export interface Leadership {
  /** Increases with every leader of this database; `devflow_commit` refuses any other epoch. */
  epoch: number;
  /** Releases the leadership without calling `onLost`. */
  release(): Promise<void>;
}

interface Holder {
  pid: number;
  host: string | null;
  version: string | null;
  takenAt: Date;
  /** Since its last beat, by the database's clock. */
  silentMs: number;
}

/**
 * Makes this daemon the only leader of the database: an advisory lock on its own connection, and a lease row. Throws
 * `daemon_running` (data: pid, host, version, since, silentMs) if another daemon leads, or `db_unreachable`.
 */
export async function takeLeadership(
  database: Pick<Database, 'connection'>,
  options: LeadershipOptions,
): Promise<Leadership> {
  const ttlMs = options.ttlMs ?? TTL_MS;
  const client = new pg.Client(database.connection);
  // Before the lease, a lost connection also fails a query below.
  client.on('error', () => {});
  try {
    await client.connect();
    const backend = await takeLock(client, ttlMs);
    const epoch = await writeLease(client, backend, options.version);
    const stop = keepLease(client, { epoch, ttlMs, beatMs: options.beatMs ?? BEAT_MS, onLost: options.onLost });
    return {
      epoch,
      async release() {
        stop();
        await client.end();
      },
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw unreachable(error);
  }
}

/** Returns the backend that holds the lock. */
async function takeLock(client: pg.Client, ttlMs: number): Promise<number> {
  const deadline = performance.now() + DEAD_HOLDER_MS;
  for (;;) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK}) AS taken, pg_backend_pid() AS backend`);
    if (rows[0].taken) return rows[0].backend;
    const holder = await readHolder(client);
    const dying = holder?.host === hostname() && holder.pid !== process.pid && !pidExists(holder.pid);
    if (!dying || performance.now() > deadline) throw held(holder, ttlMs);
    await sleep(20);
  }
}

async function writeLease(client: pg.Client, backend: number, version: string | undefined): Promise<number> {
  const { rows } = await client.query(
    `INSERT INTO daemon_lease AS l (id, epoch, pid, host, version, taken_at, beat_at) VALUES (1, 1, $1, $2, $3, now(), now())
     ON CONFLICT (id) DO UPDATE SET epoch = l.epoch + 1, pid = excluded.pid, host = excluded.host,
       version = excluded.version, taken_at = excluded.taken_at, beat_at = excluded.beat_at
     RETURNING epoch, pg_backend_pid() AS backend`,
    [process.pid, hostname(), version ?? null],
  );
  if (rows[0].backend !== backend) {
    throw new DevflowError(
      'db_unreachable',
      'The database connection changed its server process between two statements.',
      {
        recoveryHint:
          'devflow needs a direct connection: set the URL of the server, not of a pooler in transaction mode.',
      },
    );
  }
  return Number(rows[0].epoch);
}

async function readHolder(client: pg.Client): Promise<Holder | undefined> {
  const { rows } = await client.query(
    `SELECT pid, host, version, taken_at AS "takenAt",
       (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::int AS "silentMs" FROM daemon_lease WHERE id = 1`,
  );
  return rows[0];
}

function held(holder: Holder | undefined, ttlMs: number): DevflowError {
  if (holder === undefined)
    return new DevflowError('daemon_running', 'Another devflow daemon is starting on this database.');
  const { pid, host, version, takenAt, silentMs } = holder;
  const who = `Another devflow daemon (pid ${pid} on ${host}, version ${version ?? 'unknown'}) has led this database since ${takenAt.toISOString()}`;
  const data = { pid, host, version, since: takenAt.toISOString(), silentMs };
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
