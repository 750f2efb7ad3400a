import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostmasterFile, readPostmasterFile } from '../../../schemas/embeddedServer/postmasterFile.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { openLog } from '../../../schemas/files/openLog.ts';
import type { Binaries } from './binaries.ts';
import { readSince, serverFailure } from './serverFailure.ts';
import type { ServerUser } from './serverUser.ts';

const POLL_MS = 4;
/** Recovery after a crash replays at most max_wal_size; minutes mean something else is wrong. */
export const READY_MS = 120_000;
/** The next step after that time. */
export const WAIT_ON = 'Run devflow up again: it goes on waiting. devflow down ends the server.';

/** Tuned to idle with 10 MB and no CPU. One daemon opens far fewer than 30 connections. */
const SETTINGS = {
  listen_addresses: '',
  shared_buffers: '32MB',
  max_connections: '30',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum_max_workers: '1',
  max_parallel_workers: '0',
  max_worker_processes: '1',
  max_logical_replication_workers: '0',
  max_wal_size: '256MB',
  timezone: 'UTC',
};

export interface StartOptions {
  binaries: Binaries;
  dataDir: string;
  socketDir: string;
  logFile: string;
  user: ServerUser | undefined;
  /** Over devflow's own. */
  settings?: Readonly<Record<string, string>>;
}

/** Backends of a killed server notice its death within milliseconds, or after a long statement. */
const ORPHANS_MS = 10_000;
const ORPHANS = /pre-existing shared memory block/;

/**
 * Starts the server in its own process group, so that it outlives this process and its terminal. Resolves when it accepts
 * connections (26 to 40 ms). Throws `disk_full`, `workspace_permissions` or `db_unreachable` with the reason from the log.
 */
export async function startPostmaster(options: StartOptions): Promise<PostmasterFile> {
  const deadline = performance.now() + ORPHANS_MS;
  for (;;) {
    try {
      return await startOnce(options);
    } catch (error) {
      if (!ORPHANS.test((error as Error).message) || performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}

async function startOnce(options: StartOptions): Promise<PostmasterFile> {
  const { binaries, dataDir, socketDir, logFile, user } = options;
  const doing = `Starting the database in ${dataDir}`;
  const log = openServerLog(logFile, doing);
  const logStart = fstatSync(log).size;
  const settings = Object.entries({ ...SETTINGS, ...options.settings, unix_socket_directories: socketDir });
  const child = spawn(binaries.postgres, ['-D', dataDir, ...settings.flatMap(([k, v]) => ['-c', `${k}=${v}`])], {
    ...user,
    cwd: '/',
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  try {
    await once(child, 'spawn');
    child.unref();
    return await waitUntilReady(dataDir, child);
  } catch (error) {
    throw serverFailure(doing, readSince(logFile, logStart), error instanceof Ended ? undefined : error, child.pid);
  }
}

class Ended extends Error {}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function openServerLog(path: string, doing: string): number {
  try {
    return openLog(path);
  } catch (error) {
    throw serverFailure(doing, '', error);
  }
}

/** Throws if the server exits or is not ready after READY_MS. */
async function waitUntilReady(dataDir: string, child: ChildProcess): Promise<PostmasterFile> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    const file = readPostmasterFile(dataDir);
    if (file?.pid === child.pid && file?.status === 'ready') return file;
    if (hasEnded(child)) throw new Ended('the server exited before it was ready');
    await sleep(POLL_MS);
  }
  throw new DevflowError(
    'db_unreachable',
    `The database server ${child.pid} was not ready after ${READY_MS / 1000} s.`,
    {
      recoveryHint: WAIT_ON,
    },
  );
}
