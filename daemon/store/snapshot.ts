import type pg from 'pg';
import type { Queries } from './readLog.ts';

/** Calls `use` with queries that all see the database as it is at the first of them. They cannot write. */
export async function withSnapshot<T>(
  pool: Pick<pg.Pool, 'connect'>,
  use: (queries: Queries) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let fault: Error | undefined;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await use(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // Its transaction may still be open, so nobody else gets this connection.
    fault = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(fault);
  }
}
