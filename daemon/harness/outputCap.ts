import { appendFile, stat, truncate } from 'node:fs/promises';

/** Of each of the two streams of a command. */
export const OUTPUT_LIMIT = 64 * 1024 * 1024;

/**
 * Cuts an output file to its first `limit` bytes and says so in it. The command goes on undisturbed: its file is open for
 * appending, so that it writes on after the note, until the next look cuts that off again. A pipe through `head` would
 * have to outlive whatever the command leaves running, and RLIMIT_FSIZE kills.
 */
export async function capOutput(path: string, limit: number = OUTPUT_LIMIT): Promise<void> {
  const note = `\ndevflow: cut here, after ${limit} bytes.\n`;
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  // A file that was cut and is at rest is longer by the note.
  if (size <= limit + note.length) return;
  await truncate(path, limit);
  await appendFile(path, note);
}
