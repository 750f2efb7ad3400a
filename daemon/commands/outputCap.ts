import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** Bytes of each of the two streams of a command. */
export const OUTPUT_LIMIT = 64 * 1024 * 1024;

const FLAGS =
  constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;

/**
 * Cuts an output file to its first `limit` bytes and adds a note. The command does not notice: it appends after the
 * note, and the next call cuts that again. It skips anything but a regular file. A pipe through `head` would have to
 * outlive the command's children. RLIMIT_FSIZE would kill.
 */
export async function capOutput(path: string, limit: number = OUTPUT_LIMIT): Promise<void> {
  let fd: number;
  try {
    fd = openSync(path, FLAGS);
  } catch {
    return;
  }
  try {
    const note = `\ndevflow: cut here, after ${limit} bytes.\n`;
    const facts = fstatSync(fd);
    // A file that is already cut is longer by the note.
    if (!facts.isFile() || facts.size <= limit + note.length) return;
    ftruncateSync(fd, limit);
    writeSync(fd, note);
  } finally {
    closeSync(fd);
  }
}
