import { closeSync, constants, fstatSync, openSync } from 'node:fs';

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Opens a log file to append to. Throws for a pipe, which could block the writer. The caller closes the result. */
export function openLog(path: string): number {
  let fd: number;
  try {
    fd = openSync(path, FLAGS, 0o600);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENXIO' ? notALog(path) : error;
  }
  const stat = fstatSync(fd);
  if (stat.isFile() || stat.isCharacterDevice()) return fd;
  closeSync(fd);
  throw notALog(path);
}

function notALog(path: string): Error {
  return Object.assign(new Error(`${path} is not a regular file`), { code: 'EFTYPE' });
}
