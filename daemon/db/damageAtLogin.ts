import pg from 'pg';
import { damageIn } from '../../schemas/databaseDamage.ts';

/**
 * The damage for which the embedded database refuses a login; undefined for other errors. Only devflow makes its role
 * and its databases, so a missing one is damage, too.
 */
export function damageAtLogin(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const isMissing = /^(?:role|database) ".*" does not exist$|is not a valid data directory$/.test(error.message);
  return damageIn(error) ?? (isMissing || error.code?.startsWith('XX') ? error.message : undefined);
}
