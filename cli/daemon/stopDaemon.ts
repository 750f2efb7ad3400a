import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettingsText } from '../../schemas/config/settingsFile.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { isAlive } from '../../schemas/processes.ts';
import type { Client } from '../client/connect.ts';

const PATIENCE_MS = 60_000;

/** Asks the daemon to stop and waits until its process is gone, and with it an embedded database. */
export async function stopDaemon(client: Client, env: Env): Promise<{ pid: number }> {
  const { pid } = await client.call('daemon.stop');
  await client.closed;
  await until(() => !isAlive(pid), `the daemon (pid ${pid}) did not end`, pid);
  await stopDatabase(env);
  return { pid };
}

/** Waits for an embedded Postgres to end; one that a killed daemon left behind is stopped in order. */
export async function stopDatabase(env: Env): Promise<boolean> {
  const dataDir = readPlace(resolvePaths(env).postgresData);
  const pid = readServer(dataDir);
  if (pid === undefined) return false;
  // SIGINT is Postgres' fast shutdown: it rolls back what is open and writes a checkpoint.
  process.kill(pid, 'SIGINT');
  await until(() => readServer(dataDir) === undefined, `the database (pid ${pid}) did not end`, pid);
  return true;
}

/** Where the cluster really lies: the daemon leaves a note where the server's user could not reach the wanted place. */
function readPlace(wanted: string): string {
  return readSettingsText(join(wanted, 'LOCATION'))?.trim() ?? wanted;
}

/** The pid of a Postgres on this directory; a pid file that a dead one left behind counts for nothing. */
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

async function until(isDone: () => boolean, otherwise: string, pid: number): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!isDone()) {
    if (Date.now() > end) {
      throw new DevflowError('internal', `${otherwise} within ${PATIENCE_MS / 1000} s`, {
        recoveryHint: 'Look at its log, and end it with kill if it does nothing any more.',
        data: { pid },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
