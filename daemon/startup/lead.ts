import { DevflowError } from '../../schemas/errors.ts';
import type { Database } from '../db/database.ts';
import { type Leadership, type LeadershipOptions, takeLeadership } from '../db/leader.ts';
import { migrate, pendingMigrations } from '../db/migrate.ts';

/**
 * Becomes the leader of a database that has this package's schema. It takes the lock before it migrates, so that no schema
 * changes under a running daemon. Throws `daemon_running`. Throws `migration_pending` if `mayMigrate` is false: only
 * `devflow up` migrates.
 */
export async function leadMigrated(
  database: Database,
  options: Omit<LeadershipOptions, 'migration'> & { migrationsDir: string; mayMigrate: boolean },
): Promise<Leadership> {
  const { migrationsDir, mayMigrate, ...leading } = options;
  const pending = await pendingMigrations(database, migrationsDir);
  if (pending === 0) return takeLeadership(database, leading);
  if (!mayMigrate) {
    throw new DevflowError('migration_pending', `The database lacks ${pending} migration(s) that this devflow needs.`);
  }
  const migration = {
    run: () => migrate(database, migrationsDir),
    pending: () => pendingMigrations(database, migrationsDir),
  };
  return takeLeadership(database, { ...leading, migration });
}
