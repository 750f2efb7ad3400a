import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout } from './checkout.ts';
import { applyDirectory } from './indexCopy.ts';
import { holdsLock, type Journal, lockOf } from './journal.ts';
import { locked } from './unready.ts';

/** Takes git's lock of the index, or keeps it. A link is made with all that is in the file, or not at all. */
export async function takeLock(checkout: Checkout, { token }: Journal): Promise<void> {
  const file = join(applyDirectory(checkout), 'lock');
  await writeFile(file, token);
  try {
    await link(file, lockOf(checkout));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!(await holdsLock(checkout, token))) throw locked(checkout.gitDir);
  }
  await rm(file);
}
