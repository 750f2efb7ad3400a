import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { steadyNow } from '../../schemas/time/steadyTime.ts';

const LOOK_MS = 20;
const PIECE = 64 * 1024;

interface PipeWaits {
  /** Calls `onSilence` once after this time without data. */
  silentMs: number;
  /** Gives up if the pipe has no writer by then. */
  writerMs: number;
}

const PIPE_WAITS: PipeWaits = { silentMs: 1000, writerMs: 10_000 };

/**
 * Reads a pipe or device until its writer closes it, or until it has more than `most` bytes. It does not block the
 * process. Undefined if the pipe gets no writer.
 */
export async function readPipe(
  path: string,
  most: number,
  onSilence: () => void,
  waits: PipeWaits = PIPE_WAITS,
): Promise<Buffer | undefined> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  const isPipe = fstatSync(fd).isFIFO();
  const begun = steadyNow();
  const pieces: Buffer[] = [];
  let [total, hasWriter, isSilent] = [0, false, false];
  try {
    for (;;) {
      const piece = readPiece(fd);
      if (piece === 'wait') hasWriter = true;
      else if (piece.length > 0) {
        total += piece.length;
        pieces.push(piece);
        if (total > most) return Buffer.concat(pieces);
        continue;
        // A pipe without a writer reads the same before the first writer and after the last.
      } else if (total > 0 || hasWriter || !isPipe) return Buffer.concat(pieces);
      if (!hasWriter && steadyNow() - begun > waits.writerMs) return undefined;
      if (!isSilent && total === 0 && steadyNow() - begun > waits.silentMs) {
        isSilent = true;
        onSilence();
      }
      await pause(LOOK_MS);
    }
  } finally {
    closeSync(fd);
  }
}

function readPiece(fd: number): Buffer | 'wait' {
  const buffer = Buffer.allocUnsafe(PIECE);
  try {
    return buffer.subarray(0, readSync(fd, buffer, 0, PIECE, null));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 'wait';
    throw error;
  }
}
