import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { readStartTime } from '../../commands/processIdentity.ts';
import { branchOf, type Checkout } from '../checkout/checkout.ts';
import { changedTrackedFiles } from '../checkout/checkoutStatus.ts';
import { exists } from '../git/repositoryFiles.ts';
import { replace } from '../privateGit/keepFiles.ts';
import { commitNamed } from '../privateGit/workCommit.ts';
import { moveFiles } from './checkoutFiles.ts';
import { endJournal, type Journal, takeLock, writeJournal } from './journal.ts';
import { notClean, unready } from './refusals.ts';
import { undo } from './undo.ts';

export interface Update {
  branch: string;
  from: string;
  to: string;
  /** For the reflog. */
  why: string;
}

/**
 * Moves the branch of a checkout, with its files and its index. The order: journal, git's lock of the index, files, index,
 * branch. If it is interrupted, `finishInterrupted` reads the journal. No hook and no filter runs. Throws checkout_unready or
 * git_failed; then everything is as before.
 */
export async function updateCheckout(checkout: Checkout, { branch, from, to, why }: Update): Promise<void> {
  const daemon = { pid: process.pid, startTime: (await readStartTime(process.pid)) ?? '' };
  const journal: Journal = { token: `devflow ${randomUUID()}\n`, daemon, branch, from, to };
  try {
    await writeJournal(checkout, journal);
    await takeLock(checkout, journal);
    await assertSame(checkout, journal);
  } catch (error) {
    await endJournal(checkout, journal);
    throw error;
  }
  try {
    await moveFiles(checkout, from, to);
    await replace(join(checkout.gitDir, 'ORIG_HEAD'), (fresh) => writeFile(fresh, `${from}\n`));
    await moveBranch(checkout, journal, why);
  } catch (error) {
    await undo(checkout, journal, error);
  }
  await endJournal(checkout, journal);
}

/** Checks again: before the lock was taken, somebody may have changed the checkout. */
async function assertSame(checkout: Checkout, { branch, from }: Journal): Promise<void> {
  const now = await branchOf(checkout.gitDir);
  const tip = await commitNamed(checkout.privateGit, `refs/heads/${branch}`);
  if (now !== branch || tip !== from)
    throw unready(`The branch in ${checkout.path} moved in the meantime.`, 'Apply again.');
  const dirty = await changedTrackedFiles(checkout);
  if (dirty.length > 0) throw notClean(checkout.path, dirty);
}

/** Throws checkout_unready: another program may move the branch without the lock of the index. */
export async function moveBranch(checkout: Checkout, { branch, from, to }: Journal, why: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  try {
    await checkout.privateGit.run(['update-ref', '-m', why, ref, to, from]);
  } catch (cause) {
    // On a full disk git may fail after it moved the branch, when it writes the reflog.
    if ((await commitNamed(checkout.privateGit, ref).catch(() => undefined)) === to) return;
    throw unready(
      `git could not move the branch ${branch} in ${checkout.path}: ${lastLine(cause)}`,
      'Another program may have moved or locked it. Check it with git log, then apply again.',
      [],
      cause,
    );
  }
}

/** Makes a branch at a commit. Changes no checkout. Throws branch_exists. */
export async function makeBranch({ privateGit }: Checkout, name: string, commit: string, why: string): Promise<void> {
  const args = ['update-ref', '-m', why, `refs/heads/${name}`, commit, '0'.repeat(commit.length)];
  await privateGit.run(args).catch(async (cause) => {
    if (await exists(join(privateGit.common, 'refs', 'heads', `${name}.lock`))) throw cause;
    throw new DevflowError('branch_exists', `git could not make the branch ${name}: ${lastLine(cause)}`, { cause });
  });
}

function lastLine(cause: unknown): string {
  return (
    String((cause as Error).message)
      .split('\n')
      .at(-1) ?? ''
  );
}
