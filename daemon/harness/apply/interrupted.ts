import type { Checkout } from '../checkout/checkout.ts';
import { readStartTime } from '../command/processIdentity.ts';
import { commitNamed } from '../privateGit/workCommit.ts';
import { putBack } from './checkoutFiles.ts';
import { endJournal, type Journal, readJournal, releaseLock, takeLock } from './journal.ts';
import { leftBehind, locked } from './refusals.ts';
import { isIndexAt, undo } from './undo.ts';
import { moveBranch } from './update.ts';

/** Whether an apply was cut short in this checkout. */
export async function wasInterrupted(checkout: Checkout): Promise<boolean> {
  return (await readJournal(checkout)) !== undefined;
}

/**
 * Puts right what an apply left that was cut short. With the new index in place only the branch is missing, and it moves.
 * Before that the files go back. If somebody worked on since, it leaves everything as it is.
 */
export async function finishInterrupted(checkout: Checkout): Promise<void> {
  const journal = await readJournal(checkout);
  if (!journal) return;
  if (await isAtWork(journal)) throw locked(checkout.gitDir);
  if (await isUnfinished(checkout, journal)) await finish(checkout, journal);
  await endJournal(checkout, journal);
}

/** Lets go of the lock of an apply that was cut short after its end, or that nobody can finish any more. */
export async function releaseFinished(checkout: Checkout): Promise<void> {
  const journal = await readJournal(checkout);
  if (!journal || (await isAtWork(journal)) || (await isUnfinished(checkout, journal))) return;
  await endJournal(checkout, journal);
}

async function finish(checkout: Checkout, journal: Journal): Promise<void> {
  // An apply that failed let go of it.
  await takeLock(checkout, journal);
  try {
    if (await isIndexAt(checkout, journal.to)) {
      const why = 'devflow run apply: finished';
      await moveBranch(checkout, journal, why).catch((error) => undo(checkout, journal, error));
    } else if (await isIndexAt(checkout, journal.from)) {
      const foreign = await putBack(checkout, journal);
      if (foreign.length > 0) throw leftBehind(checkout.path, journal, foreign);
    }
  } catch (error) {
    // The person needs git to put right what devflow cannot.
    await releaseLock(checkout, journal);
    throw error;
  }
}

async function isUnfinished(checkout: Checkout, { branch, from }: Journal): Promise<boolean> {
  return checkout.branch === branch && (await commitNamed(checkout.privateGit, `refs/heads/${branch}`)) === from;
}

async function isAtWork({ daemon }: Journal): Promise<boolean> {
  return daemon.pid !== process.pid && (await readStartTime(daemon.pid)) === daemon.startTime;
}
