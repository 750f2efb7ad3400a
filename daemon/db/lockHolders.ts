import { hostname } from 'node:os';
import pg from 'pg';
import { pidExists } from '../../schemas/process/processes.ts';
import { type Fate, fateOf, readSessionName, shortHash } from './leaderProcess.ts';

/** The lease of a daemon. */
export interface HolderLease {
  host: string;
  pid: number;
  machine: string | null;
  installation: string | null;
  version: string | null;
  takenAt: string;
  /** Time since it was last renewed, by the database's clock. */
  silentMs: number;
}

/** A session that holds a leader's lock. */
export interface Holder {
  /** The server process of the session. */
  backend: number;
  /** Undefined until its daemon has written it. */
  lease: HolderLease | undefined;
  /** The fate of the daemon's process. */
  fate: Fate;
  /** The session says which process it belongs to. Otherwise `fate` rests on the lease. */
  isNamed: boolean;
}

/** An advisory lock: SQL for its number. */
export interface Lock {
  key: string;
  /** `$1` in the key: the host whose lock it is. Absent for the lock of the whole database. */
  host?: string;
}

/** The sessions other than this one that hold it. */
const HELD = ({
  key,
}: Lock) => `SELECT k.pid FROM pg_locks k WHERE k.locktype = 'advisory' AND k.granted AND k.objsubid = 1
  AND k.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (k.classid::bigint << 32 | k.objid::bigint) = ${key} AND k.pid <> pg_backend_pid()`;

/** This host: another installation may have the same id and the same name of its machine. */
export interface Us {
  host: string;
  installation?: string;
}

/** The holders of a lock. */
export async function readHolders(client: pg.Client, lock: Lock, us: Us): Promise<Holder[]> {
  const { rows } = await client.query(
    `SELECT h.pid AS backend, a.application_name AS name
     FROM (${HELD(lock)}) h LEFT JOIN pg_stat_activity a ON a.pid = h.pid`,
    valuesOf(lock),
  );
  if (rows.length === 0) return [];
  const leases = await readLeases(client, lock.host ?? null);
  return rows.map(({ backend, name }) => ({ backend, ...judge(name, leases, us) }));
}

/** The longest wait for the end of a session. */
const END_MS = 2_000;

/** Ends such a session, if it still holds the lock. False if this role may not. */
export async function endHolder(client: pg.Client, lock: Lock, { backend }: Holder): Promise<boolean> {
  const statement = `SELECT pg_terminate_backend(h.pid, ${END_MS}) FROM (${HELD(lock)}) h WHERE h.pid = ${backend}`;
  try {
    await client.query(statement, valuesOf(lock));
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42501') return false;
    throw error;
  }
}

export function valuesOf({ host }: Lock): string[] {
  return host === undefined ? [] : [host];
}

/** Pure but for looks at this machine's processes. */
function judge(name: string | null, leases: HolderLease[], us: Us): Omit<Holder, 'backend'> {
  const process = readSessionName(name);
  if (process === undefined) {
    // An older devflow: the lease that was renewed last, and its pid.
    const [lease] = leases;
    const isGone = lease !== undefined && isOurs(lease, us) && !pidExists(lease.pid);
    return { lease, fate: isGone ? 'gone' : 'unknown', isNamed: false };
  }
  const lease = leases.find((each) => shortHash(each.host) === process.host && each.pid === process.pid);
  const isThisMachine = lease !== undefined && isOurs(lease, us) && lease.host === us.host;
  return { lease, fate: fateOf(process, isThisMachine), isNamed: true };
}

/** A copy of this machine has its name, but is another installation. */
function isOurs({ machine, installation }: HolderLease, us: Us): boolean {
  const isOther = installation !== null && us.installation !== undefined && installation !== us.installation;
  return machine === hostname() && !isOther;
}

/** That of `host` first, then by their last renewal. Older tables store the machine in the column `host`. */
async function readLeases(client: pg.Client, host: string | null): Promise<HolderLease[]> {
  try {
    const { rows } = await client.query(
      `SELECT host, pid, coalesce(to_jsonb(l)->>'machine', l.host) AS machine,
         to_jsonb(l)->>'installation' AS installation, version, taken_at AS "takenAt",
         (extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS "silentMs"
       FROM daemon_lease l ORDER BY (l.host IS NOT DISTINCT FROM $1) DESC, beat_at DESC`,
      [host],
    );
    return rows.map((row) => ({ ...row, takenAt: row.takenAt.toISOString() }));
  } catch (error) {
    // The table does not exist yet: the other daemon is creating it.
    if (error instanceof pg.DatabaseError && error.code === '42P01') return [];
    throw error;
  }
}
