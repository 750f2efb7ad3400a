import { endServer } from '../../schemas/embeddedServer/endServer.ts';
import type { PostmasterFile } from '../../schemas/embeddedServer/postmasterFile.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Database, OpenOptions } from './database.ts';
import { restrictAccess } from './embedded/access.ts';
import { findBinaries } from './embedded/binaries.ts';
import { initialise, isInitialised } from './embedded/cluster.ts';
import { assertControlFile } from './embedded/controlFile.ts';
import { disarmPostmasterFile, disarmSocketLock } from './embedded/disarm.ts';
import { placeData, placeSocket } from './embedded/places.ts';
import { startPostmaster } from './embedded/postmaster.ts';
import { serverFailure } from './embedded/serverFailure.ts';
import { type ServerUser, serverUser } from './embedded/serverUser.ts';
import { withStartLock } from './embedded/startLock.ts';
import { unreachable } from './pgErrors.ts';
import { logEnd, useServer } from './useServer.ts';

type EmbeddedOptions = Pick<
  OpenOptions,
  'dataDir' | 'socketDir' | 'logFile' | 'binariesCacheDir' | 'settings' | 'onWaiting'
>;

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
  const log = logEnd(options.logFile);
  const { onWaiting } = options;
  const running = await useServer(dataDir, log, { adopted: true, onWaiting });
  if (running.database !== undefined) return running.database;

  return withStartLock(`${dataDir}.starting`, async () => {
    // Another devflow may have started one meanwhile.
    const theirs = await useServer(dataDir, log, { adopted: true, onWaiting });
    if (theirs.database !== undefined) return theirs.database;
    if (theirs.unusable !== undefined) await endServer(theirs.unusable, dataDir);
    const { pid } = await start(options, dataDir, serverUser(dataDir));
    try {
      const ours = await useServer(dataDir, log, { adopted: false, onWaiting });
      if (ours.database === undefined) throw unreachable(new Error('the server that was just started is gone'));
      return ours.database;
    } catch (error) {
      // The person now moves or replaces its directory.
      if (error instanceof DevflowError && error.code === 'db_damaged') await endServer(pid, dataDir);
      throw error;
    }
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
