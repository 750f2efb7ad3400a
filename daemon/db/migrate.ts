import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { damaged } from '../../schemas/errors/databaseDamage.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { connectClient } from './connect.ts';
import type { Database } from './database.ts';
import { unreachable } from './pgErrors.ts';

interface Applied {
  hash: string;
  /** The time of the migration in the journal, in ms. */
  at: number;
}

/** The year 2100. A later time in the journal is damage. */
const LATEST = 4_102_444_800_000;

/** The journal's times order the migrations. */
const newest = (applied: Applied[]) => Math.max(0, ...applied.map(({ at }) => at));

/**
 * The number of migrations of `migrationsDir` that are not applied. One query. Throws `migration_pending` if a newer
 * devflow migrated, or `db_damaged`.
 */
export async function pendingMigrations(database: Pick<Database, 'pool'>, migrationsDir: string): Promise<number> {
  const files = readMigrationFiles({ migrationsFolder: migrationsDir });
  const applied = await readApplied(database.pool);
  refuseNewer(files, applied);
  return missing(files, applied).length;
}

/** True for a database that no devflow has migrated yet. Throws `db_damaged` if it only looks so. */
export async function isNew({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  if ((await readApplied(pool)).length > 0) return false;
  if (await hasLostEntries(pool)) throw lostEntries();
  return true;
}

/**
 * Migrates the database to the schema of this package; one query if it is up to date. Safe to call concurrently. Throws
 * `migration_pending` if a newer devflow migrated the database, or if a migration is older than the newest applied one.
 * Drizzle would skip such a migration silently.
 */
export async function migrate(database: Pick<Database, 'pool' | 'connection'>, migrationsDir: string): Promise<void> {
  const files = readMigrationFiles({ migrationsFolder: migrationsDir });
  const before = await readApplied(database.pool);
  refuseNewer(files, before);
  if (missing(files, before).length === 0) return;

  const client = new pg.Client(database.connection);
  client.on('error', () => {});
  await connectClient(client).catch((error) => {
    throw unreachable(error);
  });
  try {
    // The migrator takes no lock: of four concurrent ones three failed.
    await client.query(`SELECT pg_advisory_lock(hashtextextended('devflow:migrations', 0))`);
    if (await hasLostEntries(client)) throw lostEntries();
    await applyMigrations(drizzle(client), { migrationsFolder: migrationsDir });
    const left = missing(files, await readApplied(client));
    if (left.length > 0) throw skipped(left);
  } finally {
    await client.end();
  }
}

/** A file of zeros reads as an empty table. Ask under the lock: another devflow may be migrating. */
async function hasLostEntries(client: pg.Pool | pg.Client): Promise<boolean> {
  if ((await readApplied(client)).length > 0) return false;
  const { rows } = await client.query(`SELECT to_regclass('daemon_lease') IS NOT NULL AS migrated`);
  return rows[0].migrated;
}

function lostEntries(): DevflowError {
  return damaged('The database', 'drizzle.__drizzle_migrations has lost its entries');
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
    throw unreachable(error);
  }
}

function refuseNewer(files: MigrationMeta[], applied: Applied[]): void {
  const strange = applied.find(({ hash, at }) => !/^[0-9a-f]{64}$/.test(hash) || !(at > 0 && at < LATEST));
  if (strange !== undefined) throw strangeEntry(strange);
  const last = Math.max(0, ...files.map((file) => file.folderMillis));
  if (newest(applied) <= last) return;
  // A newer devflow has applied all migrations of this one, and later ones that this one does not know.
  const moved = applied.find(({ hash, at }) => at > last && files.some((file) => file.hash === hash));
  if (moved !== undefined) throw strangeEntry(moved);
  throw new DevflowError('migration_pending', 'A newer devflow has migrated this database.', {
    recoveryHint: 'Update devflow on this machine to the version that migrated it.',
  });
}

function strangeEntry({ hash, at }: Applied): DevflowError {
  const entry = `${JSON.stringify(hash.slice(0, 12))} at ${at}`;
  return damaged('The database', `drizzle.__drizzle_migrations has an entry that no devflow wrote (${entry})`);
}

function skipped(left: MigrationMeta[]): DevflowError {
  const times = left.map((file) => new Date(file.folderMillis).toISOString()).join(', ');
  return new DevflowError(
    'migration_pending',
    `A migration was skipped, because it is older than the newest applied one (${times}).`,
    {
      recoveryHint:
        'Generate it again (npm run migration), so that it is the newest. Restore a changed migration file.',
    },
  );
}
