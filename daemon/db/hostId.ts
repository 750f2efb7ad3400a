import { hostname } from 'node:os';
import pg from 'pg';
import { hostIdOf } from '../../schemas/config/hostSettings.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { isLed } from './leaderLock.ts';
import { IS_STOPPED, SILENT_MS } from './leaseBeat.ts';

/** A devflow with its files on one machine. Its id tells it from a copy of it. */
export interface Installation {
  id: string;
  /** False: the id may be that of another machine of which this one is a copy. */
  isOfMachine: boolean;
  /** The database is on this machine, so no other installation uses it. */
  ownsDatabase: boolean;
}

/** Another installation that has the id of this host, and whose host a person gives to this one. */
export interface TakeOver {
  /** The id of that installation, as `host_taken` has told it. */
  takeFrom?: string;
  /** Called once the host belongs to this installation. */
  onTaken?(from: Pick<KnownHost, 'host' | 'machine'>): void;
}

/** A host that has or had a daemon. */
export interface KnownHost {
  host: string;
  machine: string | null;
  installation: string | null;
  /** Its daemon renews its lease, or did so a moment ago. */
  isUp: boolean;
}

/**
 * The id of this host: the configured one, else the one that this installation has in the database. At first that is the
 * machine's name. So the id changes neither with the engine nor with that name. Throws `host_taken` if another installation
 * has it. A daemon that leads alone is told later, because `daemon_running` comes first.
 */
export async function chooseHost(
  client: pg.Client,
  { host, installation, shared, takeFrom }: { host?: string; installation?: Installation; shared?: boolean } & TakeOver,
): Promise<string> {
  const byName = hostIdOf(hostname());
  if (!installation) return host ?? byName;
  const known = await readKnown(client);
  const chosen = host ?? ownHost(known, installation) ?? byName;
  if (shared)
    refuseOther(
      known.find((row) => row.host === chosen),
      installation,
      takeFrom,
    );
  return chosen;
}

/** The id that this installation has in the database. The name tells machines without an id apart, and it may change. */
function ownHost(known: readonly KnownHost[], { id, isOfMachine }: Installation): string | undefined {
  const ours = known.filter(({ installation }) => installation === id);
  const byName = isOfMachine ? ours[0] : ours.find(({ machine }) => machine === hostname());
  return (byName ?? (ours.length === 1 ? ours[0] : undefined))?.host;
}

const OF_ITS_OWN =
  'Give this machine an id of its own (temporal.host). If it is that host, try again 5 s after the end of its daemon.';

/**
 * A lease without an installation is of an older devflow, and of the first one that comes. Returns true for a host of the
 * installation `takeFrom`, which may be taken over.
 */
export function refuseOther(
  row: KnownHost | undefined,
  { id, ownsDatabase }: Installation,
  takeFrom: string | undefined,
): row is KnownHost {
  if (!row || row.installation === null || row.installation === id || ownsDatabase) return false;
  const { host, machine, installation, isUp } = row;
  if (installation === takeFrom && !isUp) return true;
  const where = machine ? `, on machine ${machine}` : '';
  const now = isUp ? ` It was up less than ${SILENT_MS / 1000} s ago.` : '';
  throw new DevflowError(
    'host_taken',
    `Host ${host} of this database is another installation of devflow${where}.${now}`,
    {
      data: { host, machine, installation, isUp },
      // It cannot be taken over, as the usual hint says.
      ...(isUp && { recoveryHint: OF_ITS_OWN }),
    },
  );
}

/**
 * A run keeps the host id under which it began. Throws `config_invalid` if this installation had another id and has open runs
 * there, which nobody would drive. A host with a daemon is that of a copy of this machine. `setting`: `temporal.host`.
 */
export async function refuseRename(
  client: pg.Client,
  { host, setting }: { host: string; setting: string | undefined },
  { id }: Installation,
): Promise<void> {
  const { rows } = await client.query(
    `SELECT l.host, count(*)::int AS runs FROM daemon_lease l JOIN runs r ON r.host = l.host
     WHERE l.installation = $1 AND l.host <> $2 AND r.state NOT IN ('completed', 'failed', 'aborted')
     GROUP BY l.host ORDER BY l.host`,
    [id, host],
  );
  for (const former of rows) if (!(await isLed(client, former.host))) throw renamed(former, host, setting);
}

function renamed(former: { host: string; runs: number }, host: string, setting: string | undefined): DevflowError {
  const open = former.runs === 1 ? '1 open run' : `${former.runs} open runs`;
  const are = former.runs === 1 ? 'is' : 'are';
  const becomes =
    setting === undefined ? `Without temporal.host, the id of this host is ${host}` : `temporal.host is ${host}`;
  return new DevflowError(
    'config_invalid',
    `${becomes}, but ${open} of this installation ${are} on host ${former.host}.`,
    { recoveryHint: `Set temporal.host: ${former.host} until they have ended.` },
  );
}

/** A host that has or had a daemon; undefined if there is none. */
export async function readKnownHost(client: pg.Client, host: string): Promise<KnownHost | undefined> {
  return (await readKnown(client)).find((row) => row.host === host);
}

/** The newest lease first. A database of an older devflow lacks columns, a new one the table. */
async function readKnown(client: pg.Client): Promise<KnownHost[]> {
  try {
    const { rows } = await client.query(
      `SELECT host, machine, installation, NOT ${IS_STOPPED} AND clock_timestamp() - beat_at <= $1 * interval '1 millisecond' AS "isUp"
       FROM (SELECT host, epoch, beat_at, to_jsonb(l)->>'machine' AS machine, to_jsonb(l)->>'installation' AS installation,
         to_jsonb(l)->>'stopped_at' AS stopped_at FROM daemon_lease l) known
       ORDER BY beat_at DESC`,
      [SILENT_MS],
    );
    return rows;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42P01') return [];
    throw error;
  }
}
