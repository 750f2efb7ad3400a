import type pg from 'pg';
import type { LastBackend } from '../core/binding/rememberBackends.ts';

/** `repositories`: the values that one repository may have as key. */
export type ReadLastBackends = (repositories: readonly string[]) => Promise<LastBackend[]>;

export function lastBackendsIn(pool: pg.Pool): ReadLastBackends {
  return async (repositories) => {
    const { rows } = await pool.query(
      `SELECT DISTINCT ON (b.role_id) b.role_id AS "roleId", b.backend, r.id AS "runId"
       FROM run_bindings b JOIN runs r ON r.id = b.run_id
       WHERE r.repository = ANY ($1) ORDER BY b.role_id, r.created_at DESC, r.id`,
      [repositories],
    );
    return rows;
  };
}
