import type pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';
import { backendOf } from './connect.ts';
import { isFull } from './pgErrors.ts';

/** The fix for a pooler in transaction mode. */
export const POOLER =
  'Set the URL of the server itself, or of a pooler in session mode. In transaction mode, a pooler (such as PgBouncer) ' +
  'supports no session locks, no LISTEN and no named statements.';

/**
 * Throws `db_unreachable` for a pooler in transaction mode. It shows if two connections use one session of the server, or if
 * one of them changes its session. A pooler with many clients may pass here, and change the session later.
 */
export async function refusePooler(pool: pg.Pool, name: string): Promise<void> {
  if (!(await sharesSessions(pool))) return;
  const message = `${name} is behind a pooler in transaction mode: its connections share sessions.`;
  throw new DevflowError('db_unreachable', message, { recoveryHint: POOLER });
}

async function sharesSessions(pool: pg.Pool): Promise<boolean> {
  const one = await pool.connect();
  try {
    const other = await connectUnlessFull(pool);
    if (other === undefined) return false;
    try {
      // In this order, a pooler that takes its sessions in turn shows it, however many it has.
      const [first, second] = [await backendOf(one), await backendOf(other)];
      const [secondAgain, firstAgain] = [await backendOf(other), await backendOf(one)];
      return first === second || first !== firstAgain || second !== secondAgain;
    } finally {
      other.release();
    }
  } finally {
    one.release();
  }
}

/** Undefined if there is no connection for it. A daemon then starts as far as it can. */
async function connectUnlessFull(pool: pg.Pool): Promise<pg.PoolClient | undefined> {
  try {
    return await pool.connect();
  } catch (error) {
    if (isFull(error)) return undefined;
    throw error;
  }
}
