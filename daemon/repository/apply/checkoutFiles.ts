import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkout, withIndexCopy } from '../checkout/checkout.ts';
import { copyIndex } from '../privateGit/privateIndex.ts';
import { putBack } from '../tree/putBack.ts';
import { applyDirectory, type Journal } from './journal.ts';

/** Moves the files, then the index, from one commit to another. git checks all files before it writes one. */
export async function moveFiles(checkout: Checkout, from: string, to: string): Promise<void> {
  const index = join(applyDirectory(checkout), `index.${randomUUID()}`);
  await copyIndex(join(checkout.gitDir, 'index'), index);
  await checkout.files(['update-index', '-q', '--refresh'], { index, accept: [0, 1] });
  await checkout.files(['read-tree', '-m', '-u', from, to], { index });
  await rename(index, join(checkout.gitDir, 'index'));
}

/** Restores the files after `moveFiles` was interrupted before it changed the index. See `putBack`. */
export function putFilesBack(checkout: Checkout, journal: Journal): Promise<string[]> {
  return withIndexCopy(checkout, (index) => putBack(checkout, journal, index));
}
