import type pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';

/** What to do about a pooler in transaction mode. */
export const POOLER =
  'devflow needs a direct connection: a pooler in transaction mode (such as PgBouncer) supports no session locks, no LISTEN and no named statements.';

/**
 * Throws `db_unreachable` if two connections use one session of the server, or one of them changes its session: a pooler in
 * transaction mode does that. One that has many clients may pass here, and changes the session later.
 */
export async function refusePooler(pool: pg.Pool, name: string): Promise<void> {
  const one = await pool.connect();
  try {
    const other = await pool.connect();
    try {
      const [first, shared, again] = [await backendOf(one), await backendOf(other), await backendOf(one)];
      if (first !== shared && first === again) return;
    } finally {
      other.release();
    }
  } finally {
    one.release();
  }
  const message = `${name} is behind a pooler in transaction mode: its connections share sessions.`;
  throw new DevflowError('db_unreachable', message, { recoveryHint: POOLER });
}

/** The server process of a session. */
export async function backendOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS backend');
  return rows[0].backend;
}
