import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
/** Fits a status and a signal's name. */
const MOST_BYTES = 256;

/**
 * The text of a small file that a pane left; undefined if there is none. The pane's program can replace it with
 * anything. So this waits for no writer, follows no link and reads at most the size of such a file.
 */
export function readSign(path: string): string | undefined {
  const fd = openAs(path, 'file');
  if (fd === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0)).trimEnd();
  } finally {
    closeSync(fd);
  }
}

/** Opens the pipe of a pane for reading; undefined if there is no pipe. */
export function openPipe(path: string): number | undefined {
  return openAs(path, 'pipe');
}

function openAs(path: string, kind: 'file' | 'pipe'): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, FLAGS);
  } catch {
    return undefined;
  }
  const facts = fstatSync(fd);
  if (kind === 'file' ? facts.isFile() : facts.isFIFO()) return fd;
  closeSync(fd);
  return undefined;
}
