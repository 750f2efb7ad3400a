import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { readSettingsText } from '../../schemas/files/settingsFile.ts';
import { isAlive } from '../../schemas/processes.ts';
import { steadyNow } from '../../schemas/steadyTime.ts';
import type { Client } from '../client/connect.ts';

const PATIENCE_MS = 60_000;

/** Asks the daemon to stop, and waits until it and an embedded database have ended. */
export async function stopDaemon(client: Client, env: Env): Promise<{ pid: number }> {
  const { pid } = await client.call('daemon.stop');
  await client.closed;
  await waitUntil(() => !isAlive(pid), `the daemon (pid ${pid}) did not end`, pid);
  await stopDatabase(env);
  return { pid };
}

/** Stops the embedded Postgres and waits until it has ended. A killed daemon may have left it running. */
export async function stopDatabase(env: Env): Promise<boolean> {
  const dataDir = readPlace(resolvePaths(env).postgresData);
  const pid = readServer(dataDir);
  if (pid === undefined) return false;
  // SIGINT is Postgres' fast shutdown: it rolls back open transactions and writes a checkpoint.
  process.kill(pid, 'SIGINT');
  await waitUntil(() => readServer(dataDir) === undefined, `the database (pid ${pid}) did not end`, pid);
  return true;
}

/** The real directory of the cluster. The daemon leaves a note if the server's user cannot reach the wanted directory. */
function readPlace(wanted: string): string {
  return readSettingsText(join(wanted, 'LOCATION'))?.trim() ?? wanted;
}

/** The pid of the Postgres that runs on this directory. A stale pid file does not count. */
function readServer(dataDir: string): number | undefined {
  try {
    const pid = Number(readSettingsText(join(dataDir, 'postmaster.pid'))?.split('\n')[0]);
    if (!(pid > 1) || !isAlive(pid)) return undefined;
    if (process.platform === 'linux' && !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir))
      return undefined;
    return pid;
  } catch {
    return undefined;
  }
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
