import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** Of each of the two streams of a command. */
export const OUTPUT_LIMIT = 64 * 1024 * 1024;

const FLAGS =
  constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;

/**
 * Cuts an output file to its first `limit` bytes and says so in it. The command goes on undisturbed: its file is open for
 * appending, so that it writes on after the note, until the next look cuts that off again. A pipe through `head` would
 * have to outlive whatever the command leaves running, and RLIMIT_FSIZE kills. It skips anything but a regular file.
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
    // A file that was cut before is longer by the note.
    if (!facts.isFile() || facts.size <= limit + note.length) return;
    ftruncateSync(fd, limit);
    writeSync(fd, note);
  } finally {
    closeSync(fd);
  }
}
