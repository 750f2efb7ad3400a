import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
/** A status and a signal's name. */
const MOST_BYTES = 256;

/**
 * The text of a small file that a pane left; undefined when there is none. The pane's program can put anything in its
 * place, so it waits for no writer, follows no link and reads no more than such a file has.
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

/** Opens the pipe of a pane for reading; undefined when there is none, or something else. */
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
