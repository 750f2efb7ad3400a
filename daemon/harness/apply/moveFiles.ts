import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../schemas/newId.ts';
import type { Checkout } from './checkout.ts';
import { applyDirectory, copyIndex } from './indexCopy.ts';

/** Changes the files and then the index from one commit to another. git checks each file before it writes the first one. */
export async function moveFiles(checkout: Checkout, from: string, to: string): Promise<void> {
  const index = join(applyDirectory(checkout), `index.${newId()}`);
  await copyIndex(checkout, index);
  await checkout.files(['update-index', '-q', '--refresh'], { index, accept: [0, 1] });
  await checkout.files(['read-tree', '-m', '-u', from, to], { index });
  await rename(index, join(checkout.gitDir, 'index'));
}
