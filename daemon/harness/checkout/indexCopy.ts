import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout } from './checkout.ts';

/** Calls `use` with a copy of the person's index. */
export async function withIndexCopy<T>(checkout: Checkout, use: (index: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(checkout.privateGit.gitDir, 'index-'));
  try {
    const index = join(directory, 'index');
    await copyIndex(checkout, index);
    return await use(index);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * The copy keeps the index's time. git reads a file again if it is as new as the index, because it may have changed in the
 * same moment.
 */
export async function copyIndex({ gitDir }: Pick<Checkout, 'gitDir'>, copy: string): Promise<void> {
  const index = join(gitDir, 'index');
  const facts = await stat(index).catch(() => undefined);
  if (!facts) return;
  await copyFile(index, copy);
  const at = Math.floor(facts.mtimeMs) / 1000;
  await utimes(copy, at, at);
}
