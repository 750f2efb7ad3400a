import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { damageError } from '../../schemas/databaseDamage.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { connectionConfig, databaseOver } from './connect.ts';
import type { Database, OpenOptions } from './open.ts';
import { isNotReady, reason } from './pgErrors.ts';

const OLDEST = 140_000;
/** A server that recovers from a crash, or restarts, is back within seconds. */
const NOT_READY_MS = 30_000;
const POLL_MS = 100;
const POOLER =
  'devflow needs a direct connection: a pooler in transaction mode (such as PgBouncer) supports no session locks, no LISTEN and no named statements.';

/** Opens a database that devflow does not run. Throws `config_invalid` without a usable URL, or `db_unreachable`. */
export async function openExternal(options: Pick<OpenOptions, 'url'>, patienceMs = NOT_READY_MS): Promise<Database> {
  const url = options.url ?? '';
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new DevflowError(
      'config_invalid',
      'Database mode external needs a URL like postgres://user@host:5432/name.',
      {
        recoveryHint: 'Set DEVFLOW_DATABASE_URL.',
      },
    );
  }
  const database = databaseOver('external', connectionConfig({ connectionString: url }), {
    adopted: true,
    stop: async () => {},
  });
  try {
    await checkServer(database.pool, nameOf(url), patienceMs);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Checks that the server answers, accepts the login and is new enough. Waits while it recovers. Errors call it `name`. */
export async function checkServer(pool: pg.Pool, name: string, patienceMs = NOT_READY_MS): Promise<void> {
  const version = await readVersion(pool, name, patienceMs);
  if (Number(version) < OLDEST) {
    throw new DevflowError(
      'db_unreachable',
      `${name} is PostgreSQL ${Math.floor(Number(version) / 10_000)}: devflow needs 14 or later.`,
      {
        recoveryHint: 'Upgrade the server, or use the embedded database.',
      },
    );
  }
}

async function readVersion(pool: pg.Pool, name: string, patienceMs: number): Promise<string> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return (await pool.query('SHOW server_version_num')).rows[0].server_version_num;
    } catch (error) {
      if (!isNotReady(error) || performance.now() >= deadline) throw refusal(error, name);
      await sleep(POLL_MS);
    }
  }
}

/** Host, port and database of a URL, without its password. */
function nameOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `The database ${hostname}:${port || '5432'}${pathname}`;
  } catch {
    return 'The database of the configured URL';
  }
}

function refusal(error: unknown, name: string): DevflowError {
  const damage = damageError(error, name);
  if (damage) return damage;
  const [sentence, recoveryHint] = whyRefused(error, name);
  return new DevflowError('db_unreachable', sentence, { cause: error, recoveryHint });
}

/** What happened, and what to do. */
function whyRefused(error: unknown, name: string): [sentence: string, recoveryHint: string] {
  const { code = '' } = error as { code?: string };
  const why = reason(error);
  if (code === '28P01' || code === '28000')
    return [`${name} refused the user or password: ${why}.`, 'Check user and password in the URL.'];
  if (code === '3D000')
    return [`${name} does not exist on that server.`, 'Create it (createdb), or fix the name in the URL.'];
  if (isNotReady(error)) return [`${name} is not ready: ${why}.`, 'Wait until it is, then run devflow up again.'];
  if (error instanceof pg.DatabaseError) return [`${name} refused the connection: ${why}.`, POOLER];
  return [`${name} cannot be reached: ${why}.`, `Check that it runs and that the URL is right. ${POOLER}`];
}
