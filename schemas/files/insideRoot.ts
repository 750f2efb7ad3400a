import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { rawPath } from './entries.ts';
import { hashOpened } from './hashOpened.ts';
import { type Opened, openRegular, type ReadBytes, type Refused, readOpened, refusal, refused } from './openRegular.ts';

/**
 * Files below a directory that an agent may write to. These functions follow no link below `root`, whatever changes
 * meanwhile. With /proc/self/fd, each step starts from an open directory. Without it, they check the path again afterwards.
 * devflow chooses `root`, so links above it are safe.
 */

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** The mode of directories that devflow makes for itself. */
const PRIVATE = 0o700;
const HAS_PROC = existsSync('/proc/self/fd');

/** Opens a regular file below `root` for reading. The caller closes `fd`. */
function openInside(root: string, relPath: string): Opened {
  const opened = inDirectory(root, relPath, null, (directory, name) => openRegular(join(directory, name)));
  if (!opened.ok || HAS_PROC || isSame(root, relPath, fstatSync(opened.fd))) return opened;
  closeSync(opened.fd);
  return refused('the file is a link');
}

/** Reads a whole file below `root`. Refuses a file with more than `most` bytes. */
export function readInside(root: string, relPath: string, most: number): ReadBytes {
  return readOpened(openInside(root, relPath), most);
}

/** The hash of a file below `root`. Refuses a file with more than `most` bytes. */
export function hashInside(root: string, relPath: string, most: number): ReturnType<typeof hashOpened> {
  return hashOpened(openInside(root, relPath), most);
}

/** The facts of a path itself; for a link, not of its target. */
export function lookInside(root: string, relPath: string): { ok: true; facts: Stats } | Refused {
  return inDirectory(root, relPath, null, (directory, name) => ({
    ok: true as const,
    facts: lstatSync(rawPath(directory, name)),
  }));
}

/** Calls `use` with a name for the directory `relPath`, which keeps pointing to it. */
export function visitInside(root: string, relPath: string, use: (directory: string) => void): { ok: true } | Refused {
  return inDirectory(root, join(relPath, '.visited'), null, (directory) => {
    use(directory);
    if (HAS_PROC || isSame(root, relPath, lstatSync(directory))) return { ok: true as const };
    return refused('it was replaced while it was read');
  });
}

/**
 * Like `visitInside`, and faster: for `name` in a directory that is visited right now, whose name is `parent`. `relPath` leads to
 * it from `root`.
 */
export function visitChild(
  root: string,
  relPath: string,
  parent: string,
  name: string,
  use: (directory: string) => void,
): { ok: true } | Refused {
  if (!HAS_PROC) return visitInside(root, relPath, use);
  let fd: number | undefined;
  try {
    fd = openSync(join(parent, name), DIRECTORY);
    use(`/proc/self/fd/${fd}`);
    return { ok: true };
  } catch (error) {
    if (isOurs(error, false)) throw named(error, join(root, relPath));
    return refusal(error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Makes the missing directories of `relPath` below `root`. */
export function makeInside(root: string, relPath: string, mode = PRIVATE): { ok: true } | Refused {
  return inDirectory(root, join(relPath, '.made'), mode, () => ({ ok: true as const }));
}

/** Writes a file atomically, with its directories. It replaces what is there and follows no link. */
export function writeInside(
  root: string,
  relPath: string,
  bytes: string | Uint8Array,
  mode = 0o600,
  directoryMode = PRIVATE,
): { ok: true } | Refused {
  return inDirectory(root, relPath, directoryMode, (directory, name) => {
    const draft = join(directory, `.${randomUUID()}.tmp`);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const fd = openSync(draft, flags, mode);
    try {
      try {
        writeFileSync(fd, bytes);
        fchmodSync(fd, mode);
      } finally {
        closeSync(fd);
      }
      renameSync(draft, join(directory, name));
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    return { ok: true as const };
  });
}

/** Calls `use` with a name for the directory of `relPath`. The name keeps pointing to the same directory. */
export function inDirectory<T extends { ok: true }>(
  root: string,
  relPath: string,
  /** The mode of directories that are missing; null: none is made. */
  make: number | null,
  use: (directory: string, name: string) => T | Refused,
): T | Refused {
  const steps = stepsOf(relPath);
  const name = steps.pop() as string;
  const open: number[] = [];
  const entered: string[] = [];
  let here = root;
  try {
    if (HAS_PROC) {
      open.push(openSync(root, constants.O_RDONLY | constants.O_DIRECTORY));
      here = `/proc/self/fd/${open[0]}`;
    }
    for (const step of steps) {
      const next = HAS_PROC ? rawPath(here, step) : join(here, step);
      entered.push(step);
      if (make !== null) makeOne(next, make);
      const fault = faultOf(next, entered.join('/'));
      if (fault) return fault;
      if (!HAS_PROC) {
        here = join(here, step);
        continue;
      }
      open.push(openSync(next, DIRECTORY));
      here = `/proc/self/fd/${open.at(-1)}`;
    }
    return use(here, name);
  } catch (error) {
    if (isOurs(error, make !== null)) throw named(error, join(root, relPath));
    return refusal(error);
  } finally {
    for (const fd of open) closeSync(fd);
  }
}

/** True if the machine failed, which has its own error codes. False for obstacles that an agent made. */
function isOurs(error: unknown, writes: boolean): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (['EMFILE', 'ENFILE', 'EIO'].includes(code)) return true;
  return writes && !['ENOENT', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY', 'ELOOP'].includes(code);
}

/** The error of a step, with the path that the caller knows. */
function named(error: unknown, path: string): Error {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return Object.assign(new Error(`${code}: ${syscall} '${path}'`, { cause: error }), { code, syscall, path });
}

function makeOne(path: string | Buffer, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** If an agent swaps the directory after this check, opening it fails: `DIRECTORY` follows no link. */
function faultOf(path: string | Buffer, shown: string): Refused | undefined {
  const facts = lstatSync(path);
  if (facts.isSymbolicLink()) return refused(`the directory ${shown} is a link`, 'ELOOP');
  if (!facts.isDirectory()) return refused(`${shown} is not a directory`, 'ENOTDIR');
  return undefined;
}

function isSame(root: string, relPath: string, facts: Stats): boolean {
  const looked = lookInside(root, relPath);
  return looked.ok && looked.facts.dev === facts.dev && looked.facts.ino === facts.ino;
}

function stepsOf(relPath: string): string[] {
  const steps = relPath.split('/').filter((step) => step !== '' && step !== '.');
  if (isAbsolute(relPath) || steps.length === 0 || steps.includes('..'))
    throw new TypeError(`insideRoot: "${relPath}" is no path below a root`);
  return steps;
}
