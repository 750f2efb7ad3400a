import type { Checkout } from '../apply/checkout.ts';
import { withIndexCopy } from '../apply/indexCopy.ts';

const FLAGS = ['--porcelain=v2', '-z', '--untracked-files=normal', '--no-renames', '--ignore-submodules=all'];
const PATIENCE_MS = 30_000;

/** Changed, deleted and untracked files of a person's checkout; a new directory counts as one, with a slash at the end. */
export async function uncommittedFiles(checkout: Checkout): Promise<string[]> {
  const { stdout } = await withIndexCopy(checkout, (index) =>
    checkout.files(['status', ...FLAGS], { index, read: true, bytes: true, timeoutMs: PATIENCE_MS }),
  );
  return stdout
    .split('\0')
    .map(pathOf)
    .filter((path) => path !== undefined)
    .map((path) => Buffer.from(path, 'latin1').toString());
}

/** Entries are `? path`, or a letter and 7 (changed) or 9 (unmerged) more fields before the path. */
function pathOf(entry: string): string | undefined {
  if (entry.startsWith('? ')) return entry.slice(2);
  const fields = { '1': 8, u: 10 }[entry[0] ?? ''];
  return fields === undefined ? undefined : entry.split(' ').slice(fields).join(' ');
}
