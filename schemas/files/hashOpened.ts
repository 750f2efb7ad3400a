import { createHash } from 'node:crypto';
import { closeSync, read } from 'node:fs';
import { promisify } from 'node:util';
import { type Opened, type Refused, refusal, tooLarge } from './openRegular.ts';

const readPiece = promisify(read);
const PIECE = 1024 * 1024;

/**
 * Hashes an opened file and closes it. Others work between the pieces, so the file may be large. Refuses one with more than
 * `most` bytes.
 */
export async function hashOpened(opened: Opened, most: number): Promise<{ ok: true; sha256: string } | Refused> {
  if (!opened.ok) return opened;
  try {
    if (opened.facts.size > most) return tooLarge(most);
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(PIECE);
    for (let total = 0; ; ) {
      const { bytesRead } = await readPiece(opened.fd, piece, 0, PIECE, null);
      if (bytesRead === 0) return { ok: true, sha256: hash.digest('hex') };
      total += bytesRead;
      if (total > most) return tooLarge(most);
      hash.update(piece.subarray(0, bytesRead));
    }
  } catch (error) {
    return refusal(error);
  } finally {
    closeSync(opened.fd);
  }
}
