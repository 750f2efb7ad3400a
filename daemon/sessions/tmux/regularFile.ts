import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * Opens for reading what an agent named or left; undefined when it is not there or no regular file. Opening a pipe would
 * wait for a writer, and with it all of the daemon; so it does not wait, and looks at what it has opened, not at a name.
 */
export function openRegular(path: string): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  return undefined;
}

/** More than any event or state; a larger file is not taken into memory. */
const MOST_BYTES = 64 * 1024 * 1024;

export function readRegular(path: string): string | undefined {
  const fd = openRegular(path);
  if (fd === undefined) return undefined;
  try {
    return fstatSync(fd).size > MOST_BYTES ? undefined : readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}
