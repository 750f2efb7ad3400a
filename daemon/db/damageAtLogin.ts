import pg from 'pg';
import { damageIn } from '../../schemas/databaseDamage.ts';

/**
 * The damage that refuses a login to the embedded database, because nothing but devflow makes its role and its databases, and a
 * login needs little else than files.
 */
export function damageAtLogin(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const isMissing = /^(?:role|database) ".*" does not exist$|is not a valid data directory$/.test(error.message);
  return damageIn(error) ?? (isMissing || error.code?.startsWith('XX') ? error.message : undefined);
}
