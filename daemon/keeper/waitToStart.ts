import type { NetConnectOpts } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { steadyNow } from '../../schemas/time/steadyTime.ts';
import { answers } from './databaseAddress.ts';

const LOOK_MS = 500;
/**
 * A start finds out more than a look at the address. The name may now mean another machine, or settings may have
 * changed.
 */
const LONGEST_MS = 300_000;

interface Wait {
  delayMs: number;
  /** The address of a database that should answer first. */
  address: NetConnectOpts | undefined;
  /** Ends the wait. */
  signal: AbortSignal;
  /** Tests replace these three. */
  look?: (address: NetConnectOpts) => Promise<boolean>;
  sleep?: (ms: number) => Promise<unknown>;
  now?: () => number;
}

/**
 * Waits before the next start of a daemon. If the database was away and answers again, the wait ends at once. While it is
 * away, the wait goes on, because a daemon would only fail. If it answers all the time, only `delayMs` counts.
 */
export async function waitToStart({
  delayMs,
  address,
  signal,
  look = answers,
  sleep = (ms) => pause(ms, undefined, { signal }).catch(() => {}),
  now = steadyNow,
}: Wait): Promise<void> {
  if (address === undefined) return void (await sleep(delayMs));
  let wasAway = false;
  const begun = now();
  while (now() - begun < LONGEST_MS && !signal.aborted) {
    const isThere = await look(address);
    if (isThere && (wasAway || now() - begun >= delayMs)) return;
    wasAway ||= !isThere;
    await sleep(LOOK_MS);
  }
}
