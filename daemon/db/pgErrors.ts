import pg from 'pg';
import { damageError } from '../../schemas/errors/databaseDamage.ts';
import { lossIn } from '../../schemas/errors/databaseLoss.ts';
import { DevflowError } from '../../schemas/errors.ts';

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);

/** True if the connection is lost, so that the outcome of the last statement is unknown. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof DevflowError) return error.code === 'db_unreachable';
  if (lossIn(error) !== undefined) return true;
  return error instanceof Error && NETWORK.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Of class 08, but permanent: a pooler says it about settings and databases that it does not know. */
const PROTOCOL_VIOLATION = '08P01';
const TOO_MANY_CLIENTS = '53300';

/**
 * True if the server may accept the next connection: it is absent, starts, recovers, stops, or has no free connection.
 */
export function isPassing(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as { code?: string };
  if (code === PROTOCOL_VIOLATION || code === 'ENOTFOUND') return false;
  return isFull(error) || isConnectionLoss(error);
}

/** True if the server, the database or the role has no free connection. */
export function isFull(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === TOO_MANY_CLIENTS;
}

/** True if a pooler answered, and not the server: Postgres says none of this. */
export function isPooler(error: unknown): boolean {
  return error instanceof pg.DatabaseError && FROM_POOLER.test(error.message);
}

const FROM_POOLER =
  /bouncer|^no such user|unsupported startup parameter|max_client_conn|query_wait_timeout|server_login_retry/i;

/** True if a server answered that it is shutting down (57P01, 57P02), recovering or starting (57P03). */
export function isNotReady(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^57P0[1-3]$/.test(error.code ?? '');
}

/** A `db_unreachable` error, or `db_damaged` if Postgres says so. An error of our own passes unchanged. */
export function unreachable(error: unknown): DevflowError {
  if (error instanceof DevflowError) return error;
  const message = `The database cannot be reached: ${reason(error)}.`;
  return damageError(error) ?? new DevflowError('db_unreachable', message, { cause: error });
}

/** The driver's message without a full stop. An AggregateError (one per address) has no message itself. */
export function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0]);
  const text = error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
  return text.replace(/\.$/, '');
}
