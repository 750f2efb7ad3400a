import { closeSync, fstatSync, lstatSync, renameSync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { openLog } from '../../schemas/files/openLog.ts';

/** About a hundred days of ten runs a day. The log and its predecessor take at most twice this. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Appends each line at once, so that a killed daemon loses none. A full file replaces `<file>.1`. It does not rotate a link or
 * a device, which belong to the person. It drops lines that it cannot write: a full disk must not end the daemon. Throws if
 * it cannot open the file.
 */
export function createLogFile(file: string, mostBytes = MOST_BYTES): DestinationStream {
  let fd = openLog(file);
  let size = fstatSync(fd).size;
  const rotates = lstatSync(file).isFile();

  function rotate(): void {
    // After a failure, the next try waits for as many bytes again.
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

/** Ignores failures: the log is the only place to report them. */
function quietly(act: () => void): void {
  try {
    act();
  } catch {}
}
