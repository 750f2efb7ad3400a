import pg from 'pg';
import { DevflowError } from '../../schemas/errors.ts';

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
const DRIVER = /connection terminated|connection error|not queryable|timeout exceeded|client was closed/i;

/** True when the server or the way to it is gone, so that what was in flight has an unknown outcome. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof DevflowError) return error.code === 'db_unreachable';
  if (error instanceof pg.DatabaseError) {
    // 57P01..03: shut down, crashed or starting; class 08: connection exceptions
    return /^(57P0[1-3]|08...)$/.test(error.code ?? '');
  }
  if (!(error instanceof Error)) return false;
  return NETWORK.has((error as NodeJS.ErrnoException).code ?? '') || DRIVER.test(error.message);
}

/** `db_unreachable` in one sentence; an error that already is one passes unchanged. */
export function unreachable(error: unknown): DevflowError {
  if (error instanceof DevflowError) return error;
  return new DevflowError('db_unreachable', `The database cannot be reached: ${reason(error)}.`, { cause: error });
}

/** The driver's own words, without a trailing full stop. An AggregateError (one try per address) has none of its own. */
export function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0]);
  const text = error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
  return text.replace(/\.$/, '');
}
