import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isServerOf,
  postmasterPath,
  readLockLines,
  readPostmasterFile,
} from '../../../schemas/embeddedServer/postmasterFile.ts';
import { pidExists } from '../../../schemas/processes.ts';

/**
 * Fixes the file of a killed server whose pid now belongs to another process; Postgres would refuse to start for ever. The
 * launcher's pid replaces it, because a server ignores the pid of its parent. The file must stay: it names the shared
 * memory by which Postgres detects backends of the killed server.
 */
export function disarmPostmasterFile(dataDir: string): void {
  const file = readPostmasterFile(dataDir);
  if (file === undefined || !pidExists(file.pid)) return;
  const path = postmasterPath(dataDir);
  const rest = (readLockLines(path) ?? []).slice(1);
  writeFileSync(path, [process.pid, ...rest].join('\n'), { mode: 0o600 });
}

/**
 * The same for the lock beside the socket: Postgres treats a killed server that was not reaped yet as alive. The lock of a
 * running server, whatever its data directory, stays.
 */
export function disarmSocketLock(socketDir: string): void {
  const path = join(socketDir, '.s.PGSQL.5432.lock');
  const lines = readLockLines(path);
  if (lines === undefined) return;
  const [pid = '', dataDir = '', ...rest] = lines;
  if (!pidExists(Number(pid)) || isServerOf(Number(pid), dataDir)) return;
  writeFileSync(path, [process.pid, dataDir, ...rest].join('\n'), { mode: 0o600 });
}
