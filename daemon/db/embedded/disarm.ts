import { basename, join } from 'node:path';
import {
  isServerOf,
  postmasterPath,
  readLockLines,
  readPostmasterFile,
} from '../../../schemas/embeddedServer/postmasterFile.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { writeInside } from '../../../schemas/files/insideRoot.ts';
import { pidExists } from '../../../schemas/process/processes.ts';

/**
 * Fixes the file of a killed server whose pid now belongs to another process. Postgres would refuse to start for ever.
 * The launcher's pid replaces it, because a server ignores the pid of its parent. The file must stay: it names the
 * shared memory by which Postgres detects backends of the killed server.
 */
export function disarmPostmasterFile(dataDir: string): void {
  const file = readPostmasterFile(dataDir);
  if (file === undefined || !pidExists(file.pid)) return;
  const rest = (readLockLines(postmasterPath(dataDir)) ?? []).slice(1);
  replace(dataDir, basename(postmasterPath(dataDir)), rest);
}

/**
 * The same for the lock beside the socket: Postgres treats a killed server that was not reaped yet as alive. The lock of a
 * running server, whatever its data directory, stays.
 */
export function disarmSocketLock(socketDir: string): void {
  const name = '.s.PGSQL.5432.lock';
  const lines = readLockLines(join(socketDir, name));
  if (lines === undefined) return;
  const [pid = '', dataDir = '', ...rest] = lines;
  if (!pidExists(Number(pid)) || isServerOf(Number(pid), dataDir)) return;
  replace(socketDir, name, [dataDir, ...rest]);
}

/**
 * A crash leaves the old file or the new one: without its later lines, Postgres would not detect the backends. Under root the
 * server's user must read the file. The directory keeps everybody else out.
 */
function replace(directory: string, name: string, rest: readonly string[]): void {
  const written = writeInside(directory, name, [process.pid, ...rest].join('\n'), 0o644);
  if (!written.ok)
    throw new DevflowError('db_unreachable', `${join(directory, name)} could not be written: ${written.fault}.`);
}
