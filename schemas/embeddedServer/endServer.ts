import { statSync } from 'node:fs';
import { DevflowError } from '../errors.ts';
import { signalIfThere } from '../process/processes.ts';
import { passedSince, steadyNow } from '../time/steadyTime.ts';
import { isServerOf, postmasterPath, readPostmasterFile } from './postmasterFile.ts';

/** For the clients to be disconnected and for a checkpoint of at most 32 MB. */
const FAST_MS = 10_000;
/** After 5 s of it Postgres kills those of its processes that still run. */
const IMMEDIATE_MS = 8_000;
const KILL_MS = 2_000;
/** The longest that `endServer` takes. */
export const END_SERVER_MS = FAST_MS + IMMEDIATE_MS + KILL_MS;
const POLL_MS = 5;

/**
 * Ends the Postgres `pid` on `dataDir`: fast shutdown, then immediate shutdown, then a kill. Nothing committed is lost: after
 * an immediate shutdown the next start runs recovery. Throws `db_unreachable` if it still runs.
 */
export async function endServer(pid: number, dataDir: string): Promise<void> {
  const steps = [
    ['SIGINT', fastShutdownMs(dataDir)],
    ['SIGQUIT', IMMEDIATE_MS],
    ['SIGKILL', KILL_MS],
  ] as const;
  for (const [signal, patienceMs] of steps) {
    if (!isServerOf(pid, dataDir)) return;
    // A process that is stopped (kill -STOP) acts on no other signal.
    for (const each of [signal, 'SIGCONT'] as const) signalIfThere(pid, each);
    if (await serverEnds(pid, dataDir, patienceMs)) return;
  }
  throw new DevflowError('db_unreachable', `The database server ${pid} does not end, even after kill -9.`, {
    recoveryHint: 'Its disk may hang. Run devflow up when the disk answers again.',
    data: { pid },
  });
}

/**
 * The time that a fast shutdown may still take. A shutdown that begins while Postgres recovers from a crash never ends.
 * Postgres 16 then waits for its checkpointer and does not tell it to end.
 */
export function fastShutdownMs(dataDir: string): number {
  if (readPostmasterFile(dataDir)?.status !== 'stopping') return FAST_MS;
  const file = statSync(postmasterPath(dataDir), { throwIfNoEntry: false });
  return file === undefined ? FAST_MS : Math.max(0, FAST_MS - passedSince(file.mtimeMs));
}

/** Waits until the server has ended. False if it still runs after `patienceMs`. */
export async function serverEnds(pid: number, dataDir: string, patienceMs: number): Promise<boolean> {
  const deadline = steadyNow() + patienceMs;
  while (isServerOf(pid, dataDir)) {
    if (steadyNow() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}
