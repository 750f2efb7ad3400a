import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyIndex } from '../git/copyIndex.ts';
import type { Checkout } from './checkout.ts';

/** Calls `use` with a copy of the person's index. */
export async function withIndexCopy<T>(checkout: Checkout, use: (index: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(checkout.privateGit.gitDir, 'index-'));
  try {
    const index = join(directory, 'index');
    await copyIndex(join(checkout.gitDir, 'index'), index);
    return await use(index);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
