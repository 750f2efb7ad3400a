import { readStartTime } from '../../commands/processIdentity.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { commitNamed } from '../privateGit/workCommit.ts';
import { putFilesBack } from './checkoutFiles.ts';
import { endJournal, type Journal, readJournal, releaseLock, takeLock } from './journal.ts';
import { interruptedAndChanged, locked } from './refusals.ts';
import { isIndexAt, undo } from './undo.ts';
import { moveBranch } from './update.ts';

/** True if an apply was interrupted in this checkout. */
export async function wasInterrupted(checkout: Checkout): Promise<boolean> {
  return (await readJournal(checkout)) !== undefined;
}

/**
 * Finishes or undoes an interrupted apply. If the new index is in place, it moves the branch. If not, it restores the files.
 * If somebody committed or switched since, it changes nothing.
 */
export async function finishInterrupted(checkout: Checkout): Promise<void> {
  const journal = await readJournal(checkout);
  if (!journal) return;
  if (await isRunning(journal)) throw locked(checkout.gitDir);
  if (await isUnfinished(checkout, journal)) await finish(checkout, journal);
  await endJournal(checkout, journal);
}

/** Releases the lock of an interrupted apply that has nothing left to do, or that can no longer be finished. */
export async function releaseFinished(checkout: Checkout): Promise<void> {
  const journal = await readJournal(checkout);
  if (!journal || (await isRunning(journal)) || (await isUnfinished(checkout, journal))) return;
  await endJournal(checkout, journal);
}

async function finish(checkout: Checkout, journal: Journal): Promise<void> {
  // A failed apply released the lock.
  await takeLock(checkout, journal);
  try {
    if (await isIndexAt(checkout, journal.to)) {
      const why = 'devflow run apply: finished';
      await moveBranch(checkout, journal, why).catch((error) => undo(checkout, journal, error));
    } else if (await isIndexAt(checkout, journal.from)) {
      const changedSince = await putFilesBack(checkout, journal);
      if (changedSince.length > 0) throw interruptedAndChanged(checkout.path, journal, changedSince);
    }
  } catch (error) {
    // The person needs git to repair what devflow could not.
    await releaseLock(checkout, journal);
    throw error;
  }
}

async function isUnfinished(checkout: Checkout, { branch, from }: Journal): Promise<boolean> {
  return checkout.branch === branch && (await commitNamed(checkout.privateGit, `refs/heads/${branch}`)) === from;
}

async function isRunning({ daemon }: Journal): Promise<boolean> {
  return daemon.pid !== process.pid && (await readStartTime(daemon.pid)) === daemon.startTime;
}
