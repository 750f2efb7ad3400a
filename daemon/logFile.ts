import { closeSync, fstatSync, lstatSync, renameSync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { openLog } from '../schemas/openLog.ts';

/** About a hundred days of ten runs a day. With the one before it the log takes at most twice that. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Appends each line at once, so that a killed daemon has said all. A file that is full becomes `<file>.1`, in place of the one
 * before it; a link or a device is the person's own arrangement and is left as it is. A line that cannot be written is
 * dropped: a full disk must not end the daemon. Throws where the file cannot be opened.
 */
export function createLogFile(file: string, mostBytes = MOST_BYTES): DestinationStream {
  let fd = openLog(file);
  let size = fstatSync(fd).size;
  const rotates = lstatSync(file).isFile();

  function rotate(): void {
    // Also where it fails the next try waits until as much was written again.
    size = 0;
    renameSync(file, `${file}.1`);
    const full = fd;
    fd = openLog(file);
    closeSync(full);
  }

  return {
    write(line) {
      if (rotates && size >= mostBytes) quietly(rotate);
      quietly(() => {
        size += writeSync(fd, line);
      });
    },
  };
}

/** Nobody could be told of a failure: the log is where it would stand. */
function quietly(act: () => void): void {
  try {
    act();
  } catch {}
}
