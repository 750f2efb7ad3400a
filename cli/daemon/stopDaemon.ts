import { endServer } from '../../schemas/embeddedServer/endServer.ts';
import { clusterPlace, readRunningServer } from '../../schemas/embeddedServer/postmasterFile.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { isAlive } from '../../schemas/process/processes.ts';
import { steadyNow } from '../../schemas/time/steadyTime.ts';
import type { Client } from '../client/connect.ts';
import { endKeeper, stopKeeping } from './keeper.ts';

const PATIENCE_MS = 60_000;

/** Asks the daemon to stop, and waits until it, its keeper and an embedded database have ended. */
export async function stopDaemon(client: Client, env: Env): Promise<{ pid: number }> {
  const { pid } = await client.call('daemon.stop');
  // First: a person may have to kill a daemon that hangs while it ends. That must not look like a crash.
  stopKeeping(env);
  await client.closed;
  await waitUntil(() => !isAlive(pid), `the daemon (pid ${pid}) did not end`, pid);
  await endKeeper(env);
  await stopDatabase(env);
  return { pid };
}

/** Ends the embedded Postgres. A killed daemon may have left it running. Returns whether one ran. */
export async function stopDatabase(env: Env): Promise<boolean> {
  const dataDir = clusterPlace(resolvePaths(env).postgresData);
  const server = readRunningServer(dataDir);
  if (server === undefined) return false;
  await endServer(server.pid, dataDir);
  return true;
}

async function waitUntil(isDone: () => boolean, otherwise: string, pid: number): Promise<void> {
  const end = steadyNow() + PATIENCE_MS;
  while (!isDone()) {
    if (steadyNow() > end) {
      throw new DevflowError('internal', `${otherwise} within ${PATIENCE_MS / 1000} s`, {
        recoveryHint: 'Read its log. If it hangs, end it with kill.',
        data: { pid },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
