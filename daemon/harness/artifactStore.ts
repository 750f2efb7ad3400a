import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DevflowError, isDiskFull } from '../../schemas/errors.ts';

/**
 * Keeps a read-only copy of a validated artifact outside the agent's reach (amendment A15): whole or not at all, and
 * adopted when an earlier try has left it there. Throws `disk_full`.
 */
export async function storeArtifact(path: string, bytes: Buffer): Promise<void> {
  if ((await readFile(path).catch(() => undefined))?.equals(bytes)) return;
  try {
    await mkdir(dirname(path), { recursive: true });
    const draft = `${path}.${process.pid}.tmp`;
    const file = await open(draft, 'w', 0o444);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(draft, 0o444);
    await rename(draft, path);
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    throw new DevflowError('disk_full', `There is no space left for the artifact ${path}.`, { cause });
  }
}
