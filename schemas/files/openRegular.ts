import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { defined } from '../defined.ts';

/** Why a file was not opened. `fault` completes a sentence that names the file. */
export interface Refused {
  ok: false;
  missing: boolean;
  fault: string;
  code?: string;
}

/** `facts` are those of the file when it was opened. */
export type Opened = { ok: true; fd: number; facts: Stats } | Refused;
export type ReadBytes = { ok: true; bytes: Buffer } | Refused;

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const PIECE = 1024 * 1024;
const SMALL_PIECE = 4096;

/**
 * Opens a file for reading that another program can change. It never waits for the writer of a pipe. It checks the opened
 * file, not the name. Without `follow` it refuses a link. The caller closes `fd`.
 */
export function openRegular(path: string, { follow = false }: { follow?: boolean } = {}): Opened {
  let fd: number;
  try {
    fd = openSync(path, follow ? FLAGS : FLAGS | constants.O_NOFOLLOW);
  } catch (error) {
    return refusal(error);
  }
  const facts = fstatSync(fd);
  if (facts.isFile()) return { ok: true, fd, facts };
  closeSync(fd);
  return { ok: false, missing: false, fault: 'this is not a regular file' };
}

/**
 * Opens such a file for appending, and makes a missing one. It never follows a link, and throws for anything but a regular
 * file. The caller closes the result.
 */
export function openToAppend(path: string): number {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOCTTY;
  const fd = openSync(path, flags | constants.O_NOFOLLOW, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw Object.assign(new Error(`${path} is not a regular file`), { code: 'EFTYPE' });
}

/** Reads such a file whole. Refuses one with more than `most` bytes, even if it grows during the read. */
export function readRegular(path: string, most: number, options: { follow?: boolean } = {}): ReadBytes {
  return readOpened(openRegular(path, options), most);
}

/** The text of such a file; undefined if it is refused. */
export function readRegularText(path: string, most: number, options: { follow?: boolean } = {}): string | undefined {
  const read = readRegular(path, most, options);
  return read.ok ? read.bytes.toString('utf8') : undefined;
}

/** Reads an opened file and closes it. */
export function readOpened(opened: Opened, most: number): ReadBytes {
  if (!opened.ok) return opened;
  try {
    const { size } = opened.facts;
    if (size > most) return tooLarge(most);
    const pieces: Buffer[] = [];
    for (let total = 0; ; ) {
      // One byte more than its size shows the end. A file without a size (in /proc), or a growing one, may have more.
      // Pieces are as large as the text read so far. One large piece for each small file would cost more to collect
      // than the file to read.
      const expected = size > 0 && total <= size ? size + 1 - total : Math.max(SMALL_PIECE, total);
      const piece = Buffer.allocUnsafe(Math.min(expected, PIECE, most + 1 - total));
      const length = readSync(opened.fd, piece, 0, piece.length, null);
      if (length === 0) return { ok: true, bytes: pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces) };
      total += length;
      if (total > most) return tooLarge(most);
      pieces.push(piece.subarray(0, length));
    }
  } catch (error) {
    return refusal(error);
  } finally {
    closeSync(opened.fd);
  }
}

/** A failed system call as a refusal. */
export function refusal(error: unknown): Refused {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === '') throw error;
  // FreeBSD and macOS report a link as EMLINK or EFTYPE. A socket is ENXIO or EOPNOTSUPP.
  if (['ELOOP', 'EMLINK', 'EFTYPE'].includes(code)) return refused('the file is a link', code);
  if (['ENXIO', 'EOPNOTSUPP', 'ENODEV'].includes(code)) return refused('this is not a regular file', code);
  return { ...refused(`the file cannot be read (${code})`, code), missing: code === 'ENOENT' };
}

export function refused(fault: string, code?: string): Refused {
  return { ok: false, missing: false, fault, ...defined({ code }) };
}

export function tooLarge(most: number): Refused {
  return refused(`the file is larger than ${most} bytes`);
}

/** Larger than any settings, definition or lock file of a person. */
const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

/** Reads a file of a person or devflow. It follows links. It refuses a pipe or a device and never waits for one. */
export function readSettingsFile(path: string): ReadBytes {
  return readRegular(path, MAX_SETTINGS_BYTES, { follow: true });
}

/** The text of such a file; undefined if it is missing or unreadable. */
export function readSettingsText(path: string): string | undefined {
  const read = readSettingsFile(path);
  return read.ok ? read.bytes.toString('utf8') : undefined;
}

/** The text of these bytes without a byte order mark; undefined if they are not UTF-8 text. */
export function utf8Text(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return text.includes('\0') || !Buffer.from(text).equals(bytes) ? undefined : text.replace(/^\uFEFF/, '');
}

export const NOT_UTF8 = 'the file is not UTF-8 text';
