import type { Logger } from 'pino';
import type { Config } from '../../schemas/config/config.ts';
import type { DevflowError } from '../../schemas/errors.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import type { Here } from '../core/run/place.ts';
import { type Committer, createCommitter } from '../db/committer.ts';
import type { Database } from '../db/database.ts';
import type { Leadership } from '../db/leader.ts';
import type { PackagePlaces } from '../definitions/places.ts';
import { createDatabaseClock, type DatabaseClock } from '../system/databaseClock.ts';
import { installationFor } from './installation.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { LeaderDatabase } from './openDatabaseForLeader.ts';

export interface LedHost {
  database: Database;
  leadership: Leadership;
  here: Here;
  /** The database's time, which stamps events and decides deadlines. */
  clock: DatabaseClock;
  committer: Committer;
}

/** Becomes the daemon of this host in its database, and can write there. */
export async function leadHost(
  { database, lead }: LeaderDatabase,
  options: {
    config: Config;
    paths: Paths;
    mayMigrate: boolean;
    lifecycle: Lifecycle;
    /** Another installation, whose host a person gives to this one. */
    takeFrom?: string;
    onLost(error: DevflowError): void;
  },
  { places, log }: { places: Pick<PackagePlaces, 'migrations' | 'version'>; log: Pick<Logger, 'warn'> },
): Promise<LedHost> {
  const { config, paths, mayMigrate, lifecycle, takeFrom, onLost } = options;
  const clock = createDatabaseClock();
  const leadership = await lead({
    migrationsDir: places.migrations,
    mayMigrate,
    version: places.version,
    host: config.temporal.host,
    installation: await installationFor(paths, database.mode !== 'external'),
    time: clock,
    shared: config.engine === 'temporal',
    takeFrom,
    onTaken: (from) => log.warn(from, 'took over this host from another installation'),
    onLost,
    onEnded: (holder) => log.warn({ holder }, 'ended the session of a daemon whose process is gone'),
  });
  lifecycle.hold('leadership', () => leadership.release());
  const { hostId: id, host, ledAlone } = leadership;
  const committer = createCommitter(database.connection, leadership);
  lifecycle.hold('committer', () => committer.close());
  return { database, leadership, here: { id, shared: host !== null, unpinned: ledAlone ?? id }, clock, committer };
}
