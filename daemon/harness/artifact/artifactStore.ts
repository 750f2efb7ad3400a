import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { DevflowError, isDiskFull } from '../../../schemas/errors.ts';
import { writeInside } from '../../../schemas/files/insideRoot.ts';
import { readRegular } from '../../../schemas/files/openRegular.ts';

/**
 * Keeps a read-only copy of a validated artifact outside the agent's reach: whole or not at all, and
 * adopted when an earlier try has left it there. Throws `disk_full` or `path_unsafe`.
 */
export async function storeArtifact(path: string, bytes: Buffer): Promise<void> {
  const there = readRegular(path, bytes.length);
  if (there.ok && there.bytes.equals(bytes)) return;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const written = writeInside(dirname(path), basename(path), bytes, 0o444);
    if (!written.ok)
      throw new DevflowError('path_unsafe', `The artifact cannot be stored as ${path}: ${written.fault}.`);
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    throw new DevflowError('disk_full', `There is no space left for the artifact ${path}.`, { cause });
  }
}
