import { link, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { newId } from '../../../schemas/newId.ts';
import { replace } from '../lane.ts';
import { readStartTime } from '../processIdentity.ts';
import { exists } from '../repositoryFiles.ts';
import { commitNamed } from '../workCommit.ts';
import { branchOf, type Checkout } from './checkout.ts';
import { applyDirectory, copyIndex } from './indexCopy.ts';
import { endJournal, type Journal, writeJournal } from './journal.ts';
import { putBack } from './putBack.ts';
import { dirtyPaths, locked, notClean, unready } from './unready.ts';

export interface Update {
  branch: string;
  from: string;
  to: string;
  /** For the reflog. */
  why: string;
}

/**
 * Moves the branch of a checkout, with its files and its index. The order: the journal, git's lock of the index, the files,
 * the index, the branch. Wherever it is cut short, the journal tells `finishCutShort` what was meant. No hook and no filter
 * runs. Throws checkout_unready or git_failed, and then everything is as before.
 */
export async function updateCheckout(checkout: Checkout, { branch, from, to, why }: Update): Promise<void> {
  const daemon = { pid: process.pid, startTime: (await readStartTime(process.pid)) ?? '' };
  const journal: Journal = { token: `devflow ${newId()}\n`, daemon, branch, from, to };
  await writeJournal(checkout, journal);
  try {
    await lockIndex(checkout, journal);
    await assertSame(checkout, journal);
    await writeFiles(checkout, journal);
    await replace(join(checkout.gitDir, 'ORIG_HEAD'), (fresh) => writeFile(fresh, `${from}\n`));
    await moveBranch(checkout, journal, why);
  } finally {
    await endJournal(checkout, journal);
  }
}

/** A link is made with all that is in the file, or not at all. */
async function lockIndex(checkout: Checkout, { token }: Journal): Promise<void> {
  const file = join(applyDirectory(checkout), 'lock');
  await writeFile(file, token);
  await link(file, join(checkout.gitDir, 'index.lock')).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? locked(checkout.gitDir) : error;
  });
  await rm(file);
}

/** Somebody may have worked on since the checks; from now on the lock keeps other git processes away. */
async function assertSame(checkout: Checkout, { branch, from }: Journal): Promise<void> {
  const now = await branchOf(checkout.gitDir);
  const tip = await commitNamed(checkout.lane, `refs/heads/${branch}`);
  if (now !== branch || tip !== from)
    throw unready(`The branch in ${checkout.path} moved meanwhile.`, 'Look at it, then apply again.');
  const dirty = await dirtyPaths(checkout);
  if (dirty.length > 0) throw notClean(checkout.path, dirty);
}

/** git checks each file before it writes the first one. */
async function writeFiles(checkout: Checkout, journal: Journal): Promise<void> {
  const index = join(applyDirectory(checkout), `index.${newId()}`);
  await copyIndex(checkout, index);
  await checkout.files(['update-index', '-q', '--refresh'], { index, accept: [0, 1] });
  try {
    await checkout.files(['read-tree', '-m', '-u', journal.from, journal.to], { index });
  } catch (error) {
    // A full disk, say, in the middle of the files.
    await putBack(checkout, journal);
    throw error;
  }
  await rename(index, join(checkout.gitDir, 'index'));
}

/** Another program may move the branch without a lock of the index: then the files follow it back. */
export async function moveBranch(checkout: Checkout, journal: Journal, why: string): Promise<void> {
  const { branch, from, to } = journal;
  const args = ['update-ref', '-m', why, `refs/heads/${branch}`, to, from];
  try {
    await checkout.lane.run(args);
  } catch (cause) {
    const index = join(applyDirectory(checkout), `index.${newId()}`);
    await copyIndex(checkout, index);
    await checkout.files(['read-tree', '-m', '-u', to, from], { index });
    await rename(index, join(checkout.gitDir, 'index'));
    throw new DevflowError('checkout_unready', `The branch ${branch} in ${checkout.path} could not be moved.`, {
      cause,
      recoveryHint: 'Another program moved or locked it. Look at it (git log), then apply again.',
    });
  }
}

/** Makes a branch at a commit and touches no checkout. Throws branch_exists. */
export async function makeBranch({ lane }: Checkout, name: string, commit: string, why: string): Promise<void> {
  const args = ['update-ref', '-m', why, `refs/heads/${name}`, commit, '0'.repeat(commit.length)];
  await lane.run(args).catch(async (cause) => {
    if (await exists(join(lane.common, 'refs', 'heads', `${name}.lock`))) throw cause;
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
