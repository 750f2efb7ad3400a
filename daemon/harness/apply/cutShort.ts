import { readStartTime } from '../processIdentity.ts';
import { commitNamed } from '../workCommit.ts';
import type { Checkout } from './checkout.ts';
import { withIndexCopy } from './indexCopy.ts';
import { endJournal, type Journal, readJournal } from './journal.ts';
import { putBack } from './putBack.ts';
import { locked, someOf, unready } from './unready.ts';
import { moveBranch } from './update.ts';

/** Whether an apply was cut short in this checkout. */
export async function wasCutShort(checkout: Checkout): Promise<boolean> {
  return (await readJournal(checkout)) !== undefined;
}

/**
 * Puts right what an apply left that was cut short. With the new index in place only the branch is missing, and it moves.
 * Before that the files go back. If somebody worked on since, it leaves everything as it is.
 */
export async function finishCutShort(checkout: Checkout): Promise<void> {
  const journal = await readJournal(checkout);
  if (!journal) return;
  if (await isAtWork(journal)) throw locked(checkout.gitDir);
  const { branch, from, to } = journal;
  const tip = await commitNamed(checkout.lane, `refs/heads/${branch}`);
  if (checkout.branch === branch && tip === from) {
    if (await isIndexAt(checkout, to)) await moveBranch(checkout, journal, 'devflow run apply: finished');
    else if (await isIndexAt(checkout, from)) {
      const foreign = await putBack(checkout, journal);
      if (foreign.length > 0) throw leftBehind(checkout.path, journal, foreign);
    }
  }
  await endJournal(checkout, journal);
}

async function isAtWork({ daemon }: Journal): Promise<boolean> {
  return daemon.pid !== process.pid && (await readStartTime(daemon.pid)) === daemon.startTime;
}

function isIndexAt(checkout: Checkout, commit: string): Promise<boolean> {
  return withIndexCopy(checkout, async (index) => {
    const args = ['diff-index', '--cached', '--quiet', '--ignore-submodules=all', commit, '--'];
    return (await checkout.files(args, { index, accept: [0, 1] })).exitCode === 0;
  });
}

function leftBehind(path: string, { from, to }: Journal, files: readonly string[]) {
  return unready(
    `An apply in ${path} was cut short, and these files changed since: ${someOf(files)}.`,
    `Keep what you need of them, then choose: git reset --hard ${from.slice(0, 12)} (before) or ${to.slice(0, 12)} (with the work).`,
    files,
  );
}
