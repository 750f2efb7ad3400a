import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { readSettingsFile } from '../../../schemas/files/settingsFile.ts';
import { pidExists } from '../../../schemas/processes.ts';

/** What `postmaster.pid` says (PostgreSQL's miscadmin.h): one fact a line. */
export interface PostmasterFile {
  pid: number;
  port: number;
  socketDir: string;
  /** `starting`, `ready` or `stopping`; empty early in the start. */
  status: string;
}

function postmasterPath(dataDir: string): string {
  return join(dataDir, 'postmaster.pid');
}

/** Undefined if no server was started here, or the last one stopped cleanly. */
export function readPostmasterFile(dataDir: string): PostmasterFile | undefined {
  const lines = readLines(postmasterPath(dataDir));
  if (lines === undefined) return undefined;
  const [pid = '', , , port = '', socketDir = '', , , status = ''] = lines.map((line) => line.trim());
  return { pid: Number(pid), port: Number(port), socketDir, status };
}

/**
 * Fixes the file of a killed server whose pid now belongs to another process; Postgres would refuse to start for ever. The
 * launcher's pid replaces it, because a server ignores the pid of its parent. The file must stay: it names the shared
 * memory by which Postgres detects backends of the killed server.
 */
export function disarmPostmasterFile(dataDir: string): void {
  const file = readPostmasterFile(dataDir);
  if (file === undefined || !pidExists(file.pid)) return;
  const path = postmasterPath(dataDir);
  const rest = (readLines(path) ?? []).slice(1);
  writeFileSync(path, [process.pid, ...rest].join('\n'), { mode: 0o600 });
}

/**
 * The same for the lock beside the socket: Postgres treats a killed server that was not reaped yet as alive. The lock of a
 * running server, whatever its data directory, stays.
 */
export function disarmSocketLock(socketDir: string): void {
  const path = join(socketDir, '.s.PGSQL.5432.lock');
  const lines = readLines(path);
  if (lines === undefined) return;
  const [pid = '', dataDir = '', ...rest] = lines;
  if (!pidExists(Number(pid)) || isServerOf(Number(pid), dataDir)) return;
  writeFileSync(path, [process.pid, dataDir, ...rest].join('\n'), { mode: 0o600 });
}

/** True if `pid` is a Postgres on `dataDir`, and not another process that reuses the pid. */
export function isServerOf(pid: number, dataDir: string): boolean {
  if (!(pid > 0)) return false;
  const words = commandLine(pid);
  const flag = words.indexOf('-D');
  return flag > 0 && words[flag + 1] === dataDir && /(^|\/)postgres$/.test(words[0] ?? '');
}

/** The argument vector; empty for a missing process or a zombie. */
function commandLine(pid: number): string[] {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    } catch {
      return [];
    }
  }
  try {
    const line = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
    const at = line.indexOf(' -D ');
    if (at < 0) return [];
    // ps joins words with blanks, and paths may contain blanks. The launcher's next flag ends the path.
    const end = line.indexOf(' -c ', at);
    return [line.slice(0, at), '-D', line.slice(at + 4, end < 0 ? undefined : end).trim()];
  } catch {
    return [];
  }
}

/** Undefined if there is no such file. */
function readLines(path: string): string[] | undefined {
  const read = readSettingsFile(path);
  if (read.ok) return read.bytes.toString('utf8').split('\n');
  if (read.missing) return undefined;
  throw new DevflowError('db_unreachable', `${path}: ${read.fault}.`, { data: { path } });
}
