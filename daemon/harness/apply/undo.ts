import type { Checkout } from '../checkout/checkout.ts';
import { withIndexCopy } from '../checkout/indexCopy.ts';
import { moveFiles, putBack } from './checkoutFiles.ts';
import { endJournal, type Journal, releaseLock } from './journal.ts';
import { leftBehind, unready } from './refusals.ts';

/**
 * Puts files and index back after an apply failed, and throws why it failed. Where that fails too, say on a full disk, the
 * journal stays and the lock goes: the next apply puts them back.
 */
export async function undo(checkout: Checkout, journal: Journal, cause: unknown): Promise<never> {
  const { path } = checkout;
  let foreign: string[];
  try {
    foreign = await restore(checkout, journal);
  } catch {
    await releaseLock(checkout, journal);
    throw unready(
      `An apply in ${path} failed and left changed files there: ${(cause as Error).message}`,
      'Remove the reason (free space, say), then apply again: devflow first puts right what is left.',
      [],
      cause,
    );
  }
  if (foreign.length > 0) {
    await releaseLock(checkout, journal);
    throw leftBehind(path, journal, foreign);
  }
  await endJournal(checkout, journal);
  throw cause;
}

/** Returns the files that somebody changed since; then it touches nothing. */
export async function restore(checkout: Checkout, journal: Journal): Promise<string[]> {
  const { from, to } = journal;
  if (!(await isIndexAt(checkout, to))) return putBack(checkout, journal);
  await moveFiles(checkout, to, from);
  return [];
}

export function isIndexAt(checkout: Checkout, commit: string): Promise<boolean> {
  return withIndexCopy(checkout, async (index) => {
    const args = ['diff-index', '--cached', '--quiet', '--ignore-submodules=all', commit, '--'];
    return (await checkout.files(args, { index, accept: [0, 1] })).exitCode === 0;
  });
}
