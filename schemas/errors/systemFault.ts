import type { ErrorCode } from '../errors.ts';
import { damageIn } from './databaseDamage.ts';

/** A failure of the machine or its disk, for a person. */
export interface SystemFault {
  code: Extract<ErrorCode, 'db_damaged' | 'disk_full' | 'workspace_permissions' | 'file_system_failed'>;
  message: string;
  hint?: string;
}

/** System calls on files. For `kill`, `connect` or `spawn`, the same codes mean something else. */
const OF_FILES =
  /^(?:open|read|write|mkdir|mkdtemp|rename|unlink|rmdir|rm|link|symlink|copyfile|cp|chmod|fchmod|chown|fchown|ftruncate|truncate|fsync|fdatasync|scandir|opendir|lstat|stat|fstat|realpath|readlink|access|utime|futime)$/;

/** Translates a failed system call, or what Postgres says about its files, into a fault of the machine. Pure. */
export function systemFault(error: unknown): SystemFault | undefined {
  const damage = damageIn(error);
  if (damage !== undefined) return { code: 'db_damaged', message: `The database is damaged: ${damage}.` };
  const { code, syscall, path, dest } = (error ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string') return undefined;
  const place = typeof dest === 'string' ? dest : typeof path === 'string' ? path : 'a file';
  if (syscall === 'watch') return watchFault(code, place);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const said = error instanceof Error ? error.message : code;
    return { code: 'disk_full', message: `There is no space left on the disk (${said}).` };
  }
  if (typeof syscall !== 'string' || !OF_FILES.test(syscall)) return undefined;
  const why = refusals(syscall)[code];
  if (why) {
    return {
      code: 'workspace_permissions',
      message: `devflow cannot use ${place}: ${why} (${code}).`,
      hint: `Make ${place} readable and writable for this user, then try again.`,
    };
  }
  const other = OTHERS[code];
  return other && { code: 'file_system_failed', message: `${other[0](place)} (${code}).`, hint: other[1] };
}

function refusals(syscall: string): Readonly<Record<string, string>> {
  return {
    EROFS: 'the file system is read-only',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    // Node reports this if it makes several directories and the first is on a read-only file system.
    ...(syscall === 'mkdir' ? { ENOENT: 'the file system is read-only or a directory above is gone' } : {}),
  };
}

const FEWER = 'Raise the limit of open files (ulimit -n) and restart the daemon, then try again.';
const LOOK = 'Replace it with a real directory or file, then try again.';

const OTHERS: Readonly<Record<string, readonly [(place: string) => string, string]>> = {
  EMFILE: [(place) => `devflow has too many files open to use ${place}`, FEWER],
  ENFILE: [(place) => `The system has too many files open to use ${place}`, FEWER],
  EIO: [(place) => `The disk failed at ${place}`, 'Check the disk and its mount, then try again.'],
  ESTALE: [(place) => `The network file system lost ${place}`, 'Mount it again, then try again.'],
  ENAMETOOLONG: [
    (place) => `The path is too long for the file system: ${place}`,
    'Set WORKSPACE_ROOT to a shorter path, and start a new run.',
  ],
  ENOTDIR: [(place) => `A part of ${place} is not a directory`, LOOK],
  EISDIR: [(place) => `${place} is a directory where a file belongs`, LOOK],
  ELOOP: [(place) => `${place} is part of a loop of links`, LOOK],
};

function watchFault(code: string, place: string): SystemFault | undefined {
  if (code !== 'ENOSPC' && code !== 'EMFILE') return undefined;
  return {
    code: 'file_system_failed',
    message: `The system has no file watches left for ${place} (${code}).`,
    hint: 'Raise fs.inotify.max_user_watches and max_user_instances (sysctl), then try again.',
  };
}
