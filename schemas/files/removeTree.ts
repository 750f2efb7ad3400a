import { promises } from 'node:fs';

const { chmod, readdir, rm } = promises;

const WHOLE = { recursive: true, force: true, maxRetries: 5 };

/**
 * Removes a file or directory with all below it, also directories that nobody may change: Go makes them for its modules,
 * and tests for what they try.
 */
export async function removeTree(path: string | Buffer): Promise<void> {
  await rm(path, WHOLE).catch(async (error) => {
    if (!['EACCES', 'EPERM'].includes(error.code)) throw error;
    await openAll(Buffer.from(path));
    await rm(path, WHOLE);
  });
}

/** Names need not be UTF-8. */
async function openAll(directory: Buffer): Promise<void> {
  await chmod(directory, 0o700);
  const entries = await readdir(directory, { withFileTypes: true, encoding: 'buffer' });
  for (const entry of entries)
    if (entry.isDirectory()) await openAll(Buffer.concat([directory, Buffer.from('/'), entry.name]));
}
