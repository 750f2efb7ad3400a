import { copyFile, stat, utimes } from 'node:fs/promises';

/**
 * Copies an index of git, if it is there. The copy keeps the index's time: git reads a file again if it is as new as the
 * index, because it may have changed in the same second.
 */
export async function copyIndex(index: string, copy: string): Promise<void> {
  const facts = await stat(index).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!facts) return;
  await copyFile(index, copy);
  const at = Math.floor(facts.mtimeMs) / 1000;
  await utimes(copy, at, at);
}
