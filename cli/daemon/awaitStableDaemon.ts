import { setTimeout as pause } from 'node:timers/promises';
import { DevflowError, type ErrorCode } from '../../schemas/errors.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { steadyNow } from '../../schemas/time/steadyTime.ts';

type Status = RpcResult<'daemon.status'>;

const PATIENCE_MS = 20_000;
const AGAIN_MS = 100;

/** Errors of a daemon that is ending, or has just lost its database. */
const ENDING: readonly ErrorCode[] = [
  'daemon_not_running',
  'shutting_down',
  'db_unreachable',
  'network_blip',
  'fenced',
];

/**
 * The status of a daemon that keeps running; undefined if none does. A daemon that has lost its database ends soon, so this
 * waits for its end.
 */
export async function awaitStableDaemon(
  read: () => Promise<Status | undefined>,
  patienceMs = PATIENCE_MS,
): Promise<Status | undefined> {
  const end = steadyNow() + patienceMs;
  for (;;) {
    const answer = await read().catch((error: unknown) => {
      if (!isEnding(error) || steadyNow() > end) throw error;
      return 'ending' as const;
    });
    if (answer === undefined) return undefined;
    if (answer !== 'ending' && (answer.database.ok || steadyNow() > end)) return answer;
    await pause(AGAIN_MS);
  }
}

/** Starts a daemon. Retries while the previous one still holds the lock or the database. */
export async function startWhenFree<T>(start: () => Promise<T>, read: () => Promise<Status | undefined>): Promise<T> {
  const end = steadyNow() + PATIENCE_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const isHeld = error instanceof DevflowError && error.code === 'daemon_running';
      if (!isHeld || steadyNow() > end || (await awaitStableDaemon(read))) throw error;
      await pause(AGAIN_MS);
    }
  }
}

function isEnding(error: unknown): boolean {
  return error instanceof DevflowError && ENDING.includes(error.code);
}
