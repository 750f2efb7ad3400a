import pg from 'pg';
import { damageError } from '../../schemas/errors/databaseDamage.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { isConnectionLoss, isNotReady, isPooler, reason } from './pgErrors.ts';
import { POOLER } from './refusePooler.ts';

/** Why a login failed, and what to do. `waitedMs`: how long devflow tried. */
export function refusal(error: unknown, name: string, waitedMs: number): DevflowError {
  const damage = damageError(error, name);
  if (damage) return damage;
  const [sentence, recoveryHint] = whyRefused(error, name);
  const waited = waitedMs > 0 ? ` devflow waited ${Math.round(waitedMs / 1000)} s for it.` : '';
  return new DevflowError('db_unreachable', `${sentence}${waited}`, { cause: error, recoveryHint });
}

function whyRefused(error: unknown, name: string): [sentence: string, recoveryHint: string] {
  const { code = '' } = error as { code?: string };
  const why = reason(error);
  if (code === '3D000' || isMissingDatabase(error))
    return [`${name} does not exist on that server.`, 'Create it (createdb), or fix the name in the URL.'];
  if (isPooler(error)) return [`${name} refused the connection: ${why}.`, POOLER];
  if (code === '28P01' || code === '28000')
    return [`${name} refused the user or password: ${why}.`, 'Check user and password in the URL.'];
  if (code === '53300')
    return [`${name} has no free connection: ${why}.`, 'Raise max_connections, or close other clients.'];
  if (isNotReady(error))
    return [`${name} is not ready: ${why}.`, "devflow up waits until it is. The server's log says what it does."];
  if (error instanceof pg.DatabaseError)
    return [`${name} refused the connection: ${why}.`, "Check the URL, the rights of its user and the server's log."];
  if (isConnectionLoss(error))
    return [`${name} cannot be reached: ${why}.`, 'Check that it runs and that the URL is right.'];
  return [`${name} cannot be used: ${why}.`, "Check the URL and the server's settings."];
}

/** A pooler says it with its own code. */
function isMissingDatabase(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && /^(?:no such database: |database ".*" does not exist$)/.test(error.message)
  );
}
