import { DevflowError } from '../../schemas/errors.ts';
import { type Leadership, type LeadershipOptions, takeLeadership } from '../db/leader.ts';
import { migrate, pendingMigrations } from '../db/migrate.ts';
import type { Database } from '../db/open.ts';

/**
 * Becomes the leader of a database that has this package's schema. It takes the lock before it migrates, so that no schema
 * changes under a running daemon. Only a fresh database, which has no lock yet, migrates first.
 * Throws `daemon_running`. Throws `migration_pending` if `mayMigrate` is false: only `devflow up` migrates.
 */
export async function leadMigrated(
  database: Database,
  options: LeadershipOptions & { migrationsDir: string; mayMigrate: boolean },
): Promise<Leadership> {
  const { migrationsDir, mayMigrate } = options;
  const pending = await pendingMigrations(database, migrationsDir);
  if (pending > 0 && !mayMigrate) {
    throw new DevflowError('migration_pending', `The database lacks ${pending} migration(s) that this devflow needs.`);
  }
  if (pending > 0 && !(await hasLease(database))) await migrate(database, migrationsDir);
  const leadership = await takeLeadership(database, options);
  if (pending > 0) await migrate(database, migrationsDir);
  return leadership;
}

async function hasLease(database: Database): Promise<boolean> {
  const { rows } = await database.pool.query(`SELECT to_regclass('daemon_lease') IS NOT NULL AS there`);
  return rows[0].there;
}
