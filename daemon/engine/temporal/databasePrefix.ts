import { sha256hex } from '../../../schemas/hash.ts';

/** What a query needs. */
type Queryable = Pick<import('pg').Pool, 'query'>;

/**
 * What the task queues and workflows of this database are called. Two databases that share a name do each other's work. A
 * restored dump has another name, and its runs get workflows of their own. A physical copy of the server keeps the name: it
 * needs another `temporal.prefix`.
 */
export async function databasePrefix(pool: Queryable): Promise<string> {
  const { rows } = await pool.query(
    `SELECT system_identifier || ':' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS name
     FROM pg_control_system()`,
  );
  return `devflow-${sha256hex(rows[0].name).slice(0, 12)}`;
}
