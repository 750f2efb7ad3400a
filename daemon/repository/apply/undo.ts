import { type Checkout, withIndexCopy } from '../checkout/checkout.ts';
import { moveFiles, putFilesBack } from './checkoutFiles.ts';
import { endJournal, type Journal, releaseLock } from './journal.ts';
import { interruptedAndChanged, unready } from './refusals.ts';

/**
 * Restores files and index after a failed apply, and throws the cause. If that fails too (for example, on a full disk),
 * it keeps the journal and releases the lock. The next apply then restores them.
 */
export async function undo(checkout: Checkout, journal: Journal, cause: unknown): Promise<never> {
  const { path } = checkout;
  let changedSince: string[];
  try {
    changedSince = await restore(checkout, journal);
  } catch {
    await releaseLock(checkout, journal);
    throw unready(
      `The apply in ${path} failed and left changed files there: ${(cause as Error).message}`,
      'Fix the cause (for example, free disk space), then apply again. devflow cleans up first.',
      [],
      cause,
    );
  }
  if (changedSince.length > 0) {
    await releaseLock(checkout, journal);
    throw interruptedAndChanged(path, journal, changedSince);
  }
  await endJournal(checkout, journal);
  throw cause;
}

/** Returns the files that somebody changed since. If there are any, it changes nothing. */
async function restore(checkout: Checkout, journal: Journal): Promise<string[]> {
  const { from, to } = journal;
  if (!(await isIndexAt(checkout, to))) return putFilesBack(checkout, journal);
  await moveFiles(checkout, to, from);
  return [];
}

export function isIndexAt(checkout: Checkout, commit: string): Promise<boolean> {
  return withIndexCopy(checkout, async (index) => {
    const args = ['diff-index', '--cached', '--quiet', '--ignore-submodules=all', commit, '--'];
    return (await checkout.files(args, { index, accept: [0, 1] })).exitCode === 0;
  });
}
