import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DevflowError } from '../errors.ts';
import { readSettingsFile, readSettingsText } from '../files/openRegular.ts';
import { orElse } from '../orElse.ts';

/**
 * The directory of the embedded cluster, as its server names it. A file in `wanted` names another one if the server's user
 * cannot reach `wanted`.
 */
export function clusterPlace(wanted: string): string {
  const canonical = canonicalPlace(wanted);
  return readSettingsText(join(canonical, 'LOCATION'))?.trim() || canonical;
}

/** `wanted` without symlinks above it. */
export function canonicalPlace(wanted: string): string {
  const above = dirname(wanted);
  return existsSync(above) ? join(realpathSync(above), basename(wanted)) : wanted;
}

/** The content of `postmaster.pid` (PostgreSQL's miscadmin.h): one fact a line. */
export interface PostmasterFile {
  pid: number;
  port: number;
  socketDir: string;
  /** `starting`, `ready` or `stopping`; empty early in the start. */
  status: string;
}

export function postmasterPath(dataDir: string): string {
  return join(dataDir, 'postmaster.pid');
}

/** Undefined if no server was started here, or the last one stopped cleanly. */
export function readPostmasterFile(dataDir: string): PostmasterFile | undefined {
  const lines = readLockLines(postmasterPath(dataDir));
  if (lines === undefined) return undefined;
  const [pid = '', , , port = '', socketDir = '', , , status = ''] = lines.map((line) => line.trim());
  return { pid: Number(pid), port: Number(port), socketDir, status };
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
    return orElse(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'), []);
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

/** The server that runs on `dataDir`; undefined if none does. A leftover pid file proves nothing. */
export function readRunningServer(dataDir: string): PostmasterFile | undefined {
  const file = readPostmasterFile(dataDir);
  return file !== undefined && isServerOf(file.pid, dataDir) ? file : undefined;
}

/** Undefined if there is no such file. */
export function readLockLines(path: string): string[] | undefined {
  const read = readSettingsFile(path);
  if (read.ok) return read.bytes.toString('utf8').split('\n');
  if (read.missing) return undefined;
  throw new DevflowError('db_unreachable', `${path}: ${read.fault}.`, { data: { path } });
}
