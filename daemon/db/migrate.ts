import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';
import type { Database } from './open.ts';
import { unreachable } from './pgErrors.ts';

interface Applied {
  hash: string;
  /** Its time in the journal, in ms. */
  at: number;
}

/** The journal's times order the migrations. */
const newest = (applied: Applied[]) => Math.max(0, ...applied.map(({ at }) => at));

/** How many migrations of `migrationsDir` are not applied. One query. Throws `migration_pending` if a newer devflow migrated. */
export async function pendingMigrations(database: Pick<Database, 'pool'>, migrationsDir: string): Promise<number> {
  const files = readMigrationFiles({ migrationsFolder: migrationsDir });
  const applied = await readApplied(database.pool);
  refuseNewer(files, applied);
  return missing(files, applied).length;
}

/**
 * Migrates the database to the schema of this package; one query if it is up to date. Safe to call concurrently. Throws
 * `migration_pending` if a newer devflow migrated the database, or if a migration is older than the newest applied one
 * (drizzle skips such a migration silently).
 */
export async function migrate(database: Pick<Database, 'pool' | 'connection'>, migrationsDir: string): Promise<void> {
  const files = readMigrationFiles({ migrationsFolder: migrationsDir });
  const before = await readApplied(database.pool);
  refuseNewer(files, before);
  if (missing(files, before).length === 0) return;

  const client = new pg.Client(database.connection);
  client.on('error', () => {});
  await client.connect().catch((error) => {
    throw unreachable(error);
  });
  try {
    // The migrator takes no lock: of four concurrent ones three failed.
    await client.query(`SELECT pg_advisory_lock(hashtextextended('devflow:migrations', 0))`);
    await applyMigrations(drizzle(client), { migrationsFolder: migrationsDir });
    const left = missing(files, await readApplied(client));
    if (left.length > 0) throw skipped(left);
  } finally {
    await client.end();
  }
}

function missing(files: MigrationMeta[], applied: Applied[]): MigrationMeta[] {
  const hashes = new Set(applied.map(({ hash }) => hash));
  return files.filter(({ hash }) => !hashes.has(hash));
}

async function readApplied(client: pg.Pool | pg.Client): Promise<Applied[]> {
  try {
    const { rows } = await client.query('SELECT hash, created_at FROM drizzle.__drizzle_migrations');
    return rows.map((row) => ({ hash: row.hash, at: Number(row.created_at) }));
  } catch (error) {
    // No such table or schema: no migration was applied yet.
    if (error instanceof pg.DatabaseError && (error.code === '42P01' || error.code === '3F000')) return [];
    if (error instanceof pg.DatabaseError) throw error;
    throw unreachable(error);
  }
}

function refuseNewer(files: MigrationMeta[], applied: Applied[]): void {
  const last = Math.max(0, ...files.map((file) => file.folderMillis));
  if (newest(applied) <= last) return;
  throw new DevflowError('migration_pending', 'A newer devflow has migrated this database.', {
    recoveryHint: 'Update devflow on this machine to the version that migrated it.',
  });
}

function skipped(left: MigrationMeta[]): DevflowError {
  const times = left.map((file) => new Date(file.folderMillis).toISOString()).join(', ');
  return new DevflowError(
    'migration_pending',
    `A migration was skipped, because it is older than the newest applied one (${times}).`,
    {
      recoveryHint:
        'Generate it again (drizzle-kit generate), so that it is the newest. Restore a changed migration file.',
    },
  );
}
