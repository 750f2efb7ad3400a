import { realpathSync } from 'node:fs';
import { connectionConfig, databaseOver } from './connect.ts';
import { restrictAccess } from './embedded/access.ts';
import { findBinaries } from './embedded/binaries.ts';
import { initialise, isInitialised, SUPERUSER } from './embedded/cluster.ts';
import { assertControlFile } from './embedded/controlFile.ts';
import { placeData, placeSocket } from './embedded/places.ts';
import { startPostmaster, stopPostmaster, waitUntilReady, waitUntilStopped } from './embedded/postmaster.ts';
import {
  disarmPostmasterFile,
  disarmSocketLock,
  isServerOf,
  type PostmasterFile,
  readPostmasterFile,
} from './embedded/postmasterFile.ts';
import { serverFailure } from './embedded/serverFailure.ts';
import { type ServerUser, serverUser } from './embedded/serverUser.ts';
import { withStartLock } from './embedded/startLock.ts';
import type { Database, OpenOptions } from './open.ts';
import { unreachable } from './pgErrors.ts';

type EmbeddedOptions = Pick<OpenOptions, 'dataDir' | 'socketDir' | 'logFile' | 'binariesCacheDir' | 'settings'>;

/**
 * The embedded Postgres: adopts the server that runs on `dataDir`, or starts it, after creating the cluster if needed. Safe to
 * call concurrently: one caller starts the server, the others adopt it.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Database> {
  try {
    return await adoptOrStart(options);
  } catch (error) {
    throw serverFailure(`Opening the database in ${options.dataDir}`, '', error);
  }
}

async function adoptOrStart(options: EmbeddedOptions): Promise<Database> {
  const dataDir = placeData(options.dataDir, serverUser(options.dataDir));
  const running = await findRunning(dataDir);
  const adopted = running === undefined ? undefined : await connect(running, dataDir, true);
  if (adopted !== undefined) return adopted;

  return withStartLock(`${dataDir}.starting`, async () => {
    const other = await findRunning(dataDir);
    if (other !== undefined) {
      const theirs = await connect(other, dataDir, true);
      if (theirs !== undefined) return theirs;
      // The server is alive, but its socket was removed, so nobody can be connected.
      await stopPostmaster(other.pid, dataDir);
    }
    const ours = await connect(await start(options, dataDir, serverUser(dataDir)), dataDir, false);
    if (ours === undefined) throw unreachable(new Error('the server that was just started has no socket'));
    return ours;
  });
}

/** The live server of `dataDir`, once ready; undefined if there is none. A leftover pid file proves nothing. */
async function findRunning(dataDir: string): Promise<PostmasterFile | undefined> {
  const file = readPostmasterFile(dataDir);
  if (file === undefined || !isServerOf(file.pid, dataDir)) return undefined;
  if (file.status === 'stopping' && (await waitUntilStopped(file.pid, dataDir))) return undefined;
  return await waitUntilReady(dataDir, file.pid).catch((error) => {
    if (isServerOf(file.pid, dataDir)) throw error;
    return undefined;
  });
}

async function start(options: EmbeddedOptions, dataDir: string, user: ServerUser | undefined): Promise<PostmasterFile> {
  const binaries = findBinaries(options.binariesCacheDir, user);
  if (!isInitialised(dataDir)) await initialise(dataDir, binaries, user);
  assertControlFile(dataDir);
  restrictAccess(dataDir, user);
  disarmPostmasterFile(dataDir);
  const socketDir = placeSocket(options.socketDir, user);
  disarmSocketLock(socketDir);
  const { logFile, settings } = options;
  return startPostmaster({ binaries, dataDir, socketDir, logFile, user, settings });
}

/** Undefined if the server's socket is gone. Throws if another server answers on it. */
async function connect(server: PostmasterFile, dataDir: string, adopted: boolean): Promise<Database | undefined> {
  const connection = connectionConfig({
    host: server.socketDir,
    port: server.port,
    user: SUPERUSER,
    database: 'postgres',
    // PG* variables for another database must not apply here.
    password: '',
    ssl: false,
  });
  const database = databaseOver('embedded', connection, {
    adopted,
    serverPid: server.pid,
    stop: () => stopPostmaster(server.pid, dataDir),
  });
  try {
    const answer = await database.pool.query('SHOW data_directory');
    const served = realpathSync(answer.rows[0].data_directory);
    if (served === dataDir) return database;
    throw unreachable(new Error(`the server on ${server.socketDir} serves ${served}, not ${dataDir}`));
  } catch (error) {
    await database.close();
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw unreachable(error);
  }
}
