import { existsSync, realpathSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { endServer, fastShutdownMs, serverEnds } from '../../schemas/embeddedServer/endServer.ts';
import { type PostmasterFile, readRunningServer } from '../../schemas/embeddedServer/postmasterFile.ts';
import { damaged, damageIn, damageInLog } from '../../schemas/errors/databaseDamage.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { isStopped, signalIfThere } from '../../schemas/process/processes.ts';
import { type Patience, waitTeller } from './awaitServer.ts';
import { connectionConfig } from './connect.ts';
import { type Database, databaseOver } from './database.ts';
import { addressOf } from './embedded/cluster.ts';
import { READY_MS, WAIT_ON } from './embedded/postmaster.ts';
import { readSince } from './embedded/serverFailure.ts';
import { isConnectionLoss, reason, unreachable } from './pgErrors.ts';

const POLL_MS = 20;

/** The finding of `useServer`. Without either, no server runs. */
export interface Found {
  database?: Database;
  /** The pid of a server that must be ended, because nobody can use it. */
  unusable?: number;
}

/** Where the server's log ended before devflow connected. The rest is about this attempt. */
export interface LogEnd {
  path: string;
  size: number;
}

export function logEnd(path: string): LogEnd {
  return { path, size: statSync(path, { throwIfNoEntry: false })?.size ?? 0 };
}

/** Empty if the log is not there. */
function since({ path, size }: LogEnd): string {
  return existsSync(path) ? readSince(path, size) : '';
}

/**
 * Connects to the server that runs on `dataDir`. Waits while it starts, recovers from a crash of one of its processes,
 * or stops. A server is unusable if it does not stop, or if its socket was removed. Throws `db_unreachable` if it takes
 * too long. Throws `db_damaged` if a damaged file ends each connection. Postgres then recovers again and again. Only
 * its log says why.
 */
export async function useServer(
  dataDir: string,
  log: LogEnd,
  { adopted, onWaiting }: { adopted: boolean } & Pick<Patience, 'onWaiting'>,
): Promise<Found> {
  const tell = waitTeller(`The embedded database in ${dataDir}`, { patienceMs: READY_MS, onWaiting });
  const deadline = performance.now() + READY_MS;
  let why = 'it is starting';
  for (;;) {
    const server = readRunningServer(dataDir);
    if (server === undefined) return {};
    // By hand or by a debugger. Nobody else continues it.
    if (isStopped(server.pid)) signalIfThere(server.pid, 'SIGCONT');
    if (server.status === 'stopping') {
      return (await serverEnds(server.pid, dataDir, fastShutdownMs(dataDir))) ? {} : { unusable: server.pid };
    }
    if (server.status === 'ready') {
      try {
        return { database: await connect(server, dataDir, adopted) };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT' || code === 'ECONNREFUSED') return { unusable: server.pid };
        const damage = damageAtLogin(error) ?? damageInLog(since(log));
        if (damage !== undefined) throw damaged(`The database in ${dataDir}`, damage, error);
        if (!isConnectionLoss(error) || error instanceof DevflowError) throw unreachable(error);
        why = reason(error);
      }
    }
    if (performance.now() > deadline) {
      const sentence = `The database server ${server.pid} took no connections for ${READY_MS / 1000} s: ${why}.`;
      throw new DevflowError('db_unreachable', sentence, { recoveryHint: WAIT_ON });
    }
    tell(why);
    await sleep(POLL_MS);
  }
}

/** Throws the driver's error, or `db_unreachable` if another server answers on the socket. */
async function connect(server: PostmasterFile, dataDir: string, adopted: boolean): Promise<Database> {
  const connection = connectionConfig(addressOf(server));
  const database = databaseOver('embedded', connection, {
    adopted,
    serverPid: server.pid,
    stop: () => endServer(server.pid, dataDir),
  });
  try {
    const answer = await database.pool.query('SHOW data_directory');
    const served = realpathSync(answer.rows[0].data_directory);
    if (served === realpathSync(dataDir)) return database;
    throw unreachable(new Error(`the server on ${server.socketDir} serves ${served}, not ${dataDir}`));
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * The damage for which the embedded database refuses a login; undefined for other errors. Only devflow makes its role
 * and its databases, so a missing one is damage, too.
 */
function damageAtLogin(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const isMissing = /^(?:role|database) ".*" does not exist$|is not a valid data directory$/.test(error.message);
  return damageIn(error) ?? (isMissing || error.code?.startsWith('XX') ? error.message : undefined);
}
