import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';
import { steadyNow } from '../../schemas/time/steadyTime.ts';
import { connectClient } from './connect.ts';
import type { Database } from './database.ts';
import { chooseHost, type Installation, readKnownHost, refuseOther, refuseRename, type TakeOver } from './hostId.ts';
import { alone, type Claim, takeLocks } from './leaderLock.ts';
import { leaderProcess, sessionNameOf } from './leaderProcess.ts';
import { keepLease, type LeaseTime } from './leaseBeat.ts';
import type { HolderLease } from './lockHolders.ts';
import { unreachable } from './pgErrors.ts';
import { POOLER } from './refusePooler.ts';

const TTL_MS = 3_000;
const BEAT_MS = 1_000;
/** The longest time that another host may take to migrate. */
const MIGRATION_MS = 5_000;

export interface LeadershipOptions extends TakeOver {
  /** Called once if the leadership is or may be lost. The caller must end the process. */
  onLost(error: DevflowError): void;
  /** This start has ended the session of an earlier daemon, whose process is gone. */
  onEnded?(holder: HolderLease): void;
  /** The version of this devflow, for the error that another daemon prints. */
  version?: string;
  /** The id of this host. Absent: the one that the installation has, at first the name of the machine. */
  host?: string;
  /** Absent: nothing tells this host from another one with its id. */
  installation?: Installation;
  /** Learns the database's time. */
  time?: LeaseTime;
  /** Other hosts have daemons on this database too. Default: this daemon leads alone. */
  shared?: boolean;
  /** For a database of an older devflow. Called once no other daemon uses it. */
  migration?: Migration;
  ttlMs?: number;
  beatMs?: number;
}

/** Brings a database to the schema of this devflow. */
export interface Migration {
  run(): Promise<void>;
  /** The number of steps left. */
  pending(): Promise<number>;
}

export interface Leadership {
  hostId: string;
  /** The host's id, if other hosts may have daemons on this database too; null for a daemon that leads alone. */
  host: string | null;
  /**
   * Increases with every lease of this database. It is at least the database's time in ms, so a restored backup repeats none.
   * `devflow_commit` refuses any other epoch.
   */
  epoch: number;
  /** The host that has the runs without a host: its daemon was the last to lead alone. Null if there was none. */
  ledAlone: string | null;
  /** Releases the leadership without calling `onLost`. */
  release(): Promise<void>;
}

/**
 * Makes this daemon the only one of the database, or of its host there. It takes advisory locks on a connection of
 * their own, and a lease row. Throws one of these errors.
 * `daemon_running` (data: pid, host, version, since, silentMs): there is one already.
 * `migration_pending`: the database is older and other hosts use it.
 * `host_taken`: another installation has the id of this host.
 * `db_unreachable`.
 */
export async function takeLeadership(
  database: Pick<Database, 'connection'>,
  options: LeadershipOptions,
): Promise<Leadership> {
  const { installation, time, shared = false, ttlMs = TTL_MS, beatMs = BEAT_MS, onLost, onEnded } = options;
  const client = new pg.Client(database.connection);
  // Before the lease, a lost connection also fails a query below.
  client.on('error', () => {});
  try {
    await connectClient(client);
    const host = await chooseHost(client, options);
    await client.query(`SELECT set_config('application_name', $1, false)`, [sessionNameOf(leaderProcess(host))]);
    // A daemon that leads alone needs no second lock for it. If there are several, the first one migrates.
    const claim = { host, installation: installation?.id, shared, ttlMs, onEnded };
    if (shared && options.migration) await migrateAlone(client, claim, options.migration);
    const backend = await takeLocks(client, claim);
    if (!shared) await options.migration?.run();
    if (installation) await refuseRename(client, { host, setting: options.host }, installation);
    const { epoch, ledAlone, beatAt } = await writeLease(client, { ...options, host, shared, backend });
    const stop = keepLease(client, { host, epoch, beatAt, time, ttlMs, beatMs, onLost });
    return {
      hostId: host,
      host: shared ? host : null,
      epoch,
      ledAlone,
      async release() {
        stop();
        await markStopped(client, host, epoch);
        await client.end();
      },
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw unreachable(error);
  }
}

async function migrateAlone(client: pg.Client, claim: Claim, { run, pending }: Migration): Promise<void> {
  const deadline = performance.now() + MIGRATION_MS;
  while (!(await alone(client, claim, run))) {
    // Another host may be at it.
    if ((await pending()) === 0) return;
    if (performance.now() > deadline) {
      throw new DevflowError('migration_pending', 'Other hosts use this database, which is older than this devflow.', {
        recoveryHint: 'Stop devflow on all hosts (devflow down), then run devflow up on each.',
      });
    }
    await sleep(50);
  }
}

interface Lease extends Pick<LeadershipOptions, 'installation' | 'time' | 'version'>, TakeOver {
  host: string;
  shared: boolean;
  backend: number;
}

/**
 * A daemon that leads alone fences all others, whatever their host is called. The runs without a host stay with their
 * installation, also if its host has another id now.
 */
const LEASE = `WITH fenced AS (UPDATE daemon_lease SET epoch = 0, led_alone = false WHERE NOT $5 AND host <> $1),
  renamed AS (UPDATE daemon_lease SET led_alone = false WHERE $5 AND led_alone AND host <> $1 AND $6::text IS NOT NULL
    AND (installation = $6 OR (installation IS NULL AND machine = $3)) RETURNING host)
  INSERT INTO daemon_lease AS l (host, epoch, pid, machine, version, led_alone, installation, taken_at, beat_at)
  VALUES ($1, (SELECT greatest(coalesce(max(epoch), 0) + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    FROM daemon_lease), $2, $3, $4, NOT $5 OR EXISTS (SELECT FROM renamed), $6, now(), now())
  ON CONFLICT (host) DO UPDATE SET epoch = excluded.epoch, pid = excluded.pid, machine = excluded.machine,
    version = excluded.version, led_alone = l.led_alone OR excluded.led_alone,
    installation = coalesce(excluded.installation, l.installation), taken_at = excluded.taken_at,
    beat_at = excluded.beat_at, stopped_at = NULL
  RETURNING epoch, beat_at AS "beatAt", pg_backend_pid() AS backend,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, CASE WHEN led_alone THEN host
    ELSE (SELECT a.host FROM daemon_lease a WHERE a.led_alone) END AS "ledAlone"`;

/** The locks are taken, so no other daemon of this host renews or takes its lease meanwhile. */
async function writeLease(client: pg.Client, options: Lease) {
  const { host, installation, time, shared, backend, version, takeFrom, onTaken } = options;
  const known = installation && (await readKnownHost(client, host));
  const isTaken = installation !== undefined && refuseOther(known, installation, takeFrom);
  const askedAt = steadyNow();
  const values = [host, process.pid, hostname(), version ?? null, shared, installation?.id ?? null];
  const { rows } = await client.query(LEASE, values);
  const [lease] = rows;
  if (lease.backend !== backend) {
    throw new DevflowError(
      'db_unreachable',
      'The database connection changed its server process between two statements.',
      { recoveryHint: POOLER },
    );
  }
  time?.heard(lease.now, askedAt);
  if (known && isTaken) onTaken?.({ host, machine: known.machine });
  return { epoch: Number(lease.epoch), ledAlone: lease.ledAlone as string | null, beatAt: lease.beatAt as Date };
}

/** Records an orderly stop. Without it, other hosts show this one as silent, even those that start later. */
async function markStopped(client: pg.Client, host: string, epoch: number): Promise<void> {
  await client
    .query('UPDATE daemon_lease SET stopped_at = now() WHERE host = $1 AND epoch = $2', [host, epoch])
    .catch(() => {});
}
