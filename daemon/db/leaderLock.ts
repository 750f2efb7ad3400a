import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { backendOf } from './connect.ts';
import { heldError } from './heldError.ts';
import { endHolder, type Holder, type HolderLease, type Lock, readHolders, valuesOf } from './lockHolders.ts';

const DATABASE: Lock = { key: `hashtextextended('devflow:session-manager', 0)` };
const ofHost = (host: string): Lock => ({ key: `hashtextextended('devflow:session-manager:' || $1, 0)`, host });
/** Postgres frees the lock of a killed daemon after 3 to 6 ms. A loaded machine takes longer. */
const DEAD_HOLDER_MS = 2_000;

/** A daemon's claim to lead its database. */
export interface Claim {
  /** The id of this host. */
  host: string;
  /** This installation. */
  installation?: string;
  /** True: one of several daemons, each on its own host. False: the only one. */
  shared: boolean;
  ttlMs: number;
  /** This start has ended the session of a daemon whose process is gone. */
  onEnded?(lease: HolderLease): void;
}

/**
 * Takes the advisory locks on this connection. A daemon that leads alone takes the database's lock. A shared one takes that
 * lock in shared mode, and its host's lock. Returns the pid of the Postgres backend that holds them. Throws `daemon_running`.
 *
 * A server may keep the session of a machine that lost its power or its network. If the daemon's process is gone on this
 * machine and its lease has run out, this ends the session. The epoch fences what such a daemon may still write.
 */
export async function takeLocks(client: pg.Client, claim: Claim): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const missing = await tryLocks(client, claim);
    if (missing === null) return backendOf(client);
    const holders = await readHolders(client, missing, claim);
    const mayEnd = await endSilent(client, missing, claim, holders);
    const isGone = holders.some(({ fate }) => fate === 'gone');
    // While another host migrates, it holds the lock of the whole database.
    const passing = claim.shared && missing === DATABASE;
    const patienceMs = DEAD_HOLDER_MS + (isGone ? claim.ttlMs : 0);
    // Without a holder, the lock was released since we tried.
    const mayPass = passing || holders.length === 0 || (isGone && mayEnd);
    if (!mayPass || performance.now() - begun > patienceMs) throw heldError(holders, claim.ttlMs);
    await sleep(20);
  }
}

/** True if a daemon leads that host. */
export async function isLed(client: pg.Client, host: string): Promise<boolean> {
  return (await readHolders(client, ofHost(host), { host })).length > 0;
}

/** Ends the sessions of those that are gone and whose lease has run out. False if this role may not. */
async function endSilent(client: pg.Client, lock: Lock, claim: Claim, holders: Holder[]): Promise<boolean> {
  for (const holder of holders) {
    const { lease, fate } = holder;
    if (fate !== 'gone' || lease === undefined || lease.silentMs <= claim.ttlMs) continue;
    if (!(await endHolder(client, lock, holder))) return false;
    claim.onEnded?.(lease);
  }
  return true;
}

/** Runs `change` while this connection holds the database's lock alone. Returns false if a daemon uses the database. */
export async function alone(client: pg.Client, claim: Claim, change: () => Promise<void>): Promise<boolean> {
  if (!(await taken(client, 'pg_try_advisory_lock', DATABASE))) {
    await endSilent(client, DATABASE, claim, await readHolders(client, DATABASE, claim));
    return false;
  }
  try {
    await change();
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${DATABASE.key})`);
  }
  return true;
}

/** Takes the locks. Returns the one that another connection holds, or null if it has taken all. */
async function tryLocks(client: pg.Client, { host, shared }: Claim): Promise<Lock | null> {
  if (!shared) return (await taken(client, 'pg_try_advisory_lock', DATABASE)) ? null : DATABASE;
  if (!(await taken(client, 'pg_try_advisory_lock_shared', DATABASE))) return DATABASE;
  const own = ofHost(host);
  if (await taken(client, 'pg_try_advisory_lock', own)) return null;
  await client.query(`SELECT pg_advisory_unlock_shared(${DATABASE.key})`);
  return own;
}

async function taken(client: pg.Client, call: string, lock: Lock): Promise<boolean> {
  const { rows } = await client.query(`SELECT ${call}(${lock.key}) AS taken`, valuesOf(lock));
  return rows[0].taken;
}
