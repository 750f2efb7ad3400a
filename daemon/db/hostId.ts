import { hostname } from 'node:os';
import pg from 'pg';
import { hostIdOf } from '../../schemas/config/hostSettings.ts';
import { DevflowError } from '../../schemas/errors.ts';

/** A devflow with its files on one machine. Its id tells it from a copy of it. */
export interface Installation {
  id: string;
  /** False: the id may be that of another machine of which this one is a copy. */
  isOfMachine: boolean;
  /** The database is on this machine, so no other installation uses it. */
  ownsDatabase: boolean;
}

interface KnownHost {
  host: string;
  machine: string | null;
  installation: string | null;
}

/**
 * The id of this host: that of the configuration, else the one that this installation has in the database, at first the
 * machine's name. So it does not change with the engine, nor with the machine's name. Of several hosts, a second one with the
 * same id is refused with `host_taken`; where one daemon leads alone, `daemon_running` comes first.
 */
export async function chooseHost(
  client: pg.Client,
  { host, installation, shared }: { host?: string; installation?: Installation; shared?: boolean },
): Promise<string> {
  const byName = hostIdOf(hostname());
  if (!installation) return host ?? byName;
  const known = await readKnown(client);
  const isOurs = (row: KnownHost) =>
    row.installation === installation.id && (installation.isOfMachine || row.machine === hostname());
  const chosen = host ?? known.find(isOurs)?.host ?? byName;
  if (shared)
    refuseOther(
      known.find((row) => row.host === chosen),
      installation,
    );
  return chosen;
}

/** A lease without an installation is of an older devflow, and of the first one that comes. */
export function refuseOther(row: KnownHost | undefined, { id, ownsDatabase }: Installation): void {
  if (!row || row.installation === null || row.installation === id || ownsDatabase) return;
  const { host, machine } = row;
  const message = `Host ${host} of this database is another installation of devflow${machine ? `, on machine ${machine}` : ''}.`;
  throw new DevflowError('host_taken', message, { data: { host, machine } });
}

/**
 * A run keeps the host id under which it began. Throws `config_invalid` if this installation had another id and has open runs
 * there, which nobody would drive.
 */
export async function refuseRename(client: pg.Client, host: string, { id }: Installation): Promise<void> {
  const { rows } = await client.query(
    `SELECT l.host, count(*)::int AS runs FROM daemon_lease l JOIN runs r ON r.host = l.host
     WHERE l.installation = $1 AND l.host <> $2 AND r.state NOT IN ('completed', 'failed', 'aborted')
     GROUP BY l.host ORDER BY l.host LIMIT 1`,
    [id, host],
  );
  const [former] = rows;
  if (!former) return;
  const open = former.runs === 1 ? '1 open run is' : `${former.runs} open runs are`;
  throw new DevflowError(
    'config_invalid',
    `temporal.host is ${host}, but ${open} on this machine as host ${former.host}.`,
    { recoveryHint: `Set temporal.host: ${former.host} until they have ended.` },
  );
}

/** The newest lease first. A database of an older devflow lacks columns, a new one the table. */
async function readKnown(client: pg.Client): Promise<KnownHost[]> {
  try {
    const { rows } = await client.query(
      `SELECT host, to_jsonb(l)->>'machine' AS machine, to_jsonb(l)->>'installation' AS installation
       FROM daemon_lease l ORDER BY beat_at DESC`,
    );
    return rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42P01') return [];
    throw error;
  }
}
