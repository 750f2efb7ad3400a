import { copyFile, stat, utimes } from 'node:fs/promises';

/**
 * Copies a git index. Without one (a new worktree has none yet) it does nothing. The copy keeps the time of the index.
 * Git rereads a file as new as the index, because it may have changed in the same second.
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
