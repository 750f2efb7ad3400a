import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout } from '../checkout/checkout.ts';
import { changedTrackedFiles } from '../checkout/checkoutStatus.ts';
import { exists } from '../git/repositoryFiles.ts';
import { readUnderWay } from '../git/underWay.ts';
import { readJournal } from './journal.ts';
import { BY_HAND, locked, notClean, unready } from './refusals.ts';

/** Settings that change how git writes files. devflow's calls must use the same values. */
const OF_FILES = ['filemode', 'symlinks', 'ignorecase', 'precomposeunicode', 'autocrlf', 'eol'].map(
  (it) => `core.${it}`,
);

/** Throws checkout_unready unless a branch with a commit is checked out. */
export function assertHasBranch({ path, branch, commit }: Checkout): { branch: string; commit: string } {
  if (branch === null) {
    throw unready(
      `${path} has no branch checked out (HEAD is detached).`,
      'Check out the branch that should get the work (git switch <branch>), or make a new one: --branch <name>.',
    );
  }
  if (commit === null)
    throw unready(`The branch ${branch} in ${path} has no commits.`, 'Make a new branch: --branch <name>.');
  return { branch, commit };
}

/** Throws checkout_unready unless the files of this checkout can be changed now. Changes nothing. */
export async function assertReady(checkout: Checkout): Promise<void> {
  const { path, gitDir } = checkout;
  const underWay = await readUnderWay(gitDir);
  if (underWay) {
    const hint = 'Finish or abort it (git status shows how), then apply again.';
    throw unready(`${path} is in the middle of ${underWay.what}.`, hint);
  }
  await assertPlainFiles(checkout);
  // The apply first puts back what an interrupted apply changed.
  if (await readJournal(checkout)) return;
  if (await exists(join(gitDir, 'index.lock'))) throw locked(gitDir);
  const dirty = await changedTrackedFiles(checkout);
  if (dirty.length > 0) throw notClean(path, dirty);
}

/** Refuses a checkout where devflow's git would write files differently from the person's git. */
async function assertPlainFiles({ path, gitDir, settings, privateGit }: Checkout): Promise<void> {
  if (/^(?:true|yes|on|1)$/i.test(settings.get('core.sparsecheckout') ?? ''))
    throw unready(`${path} is a sparse checkout. devflow cannot apply there.`, BY_HAND);
  const names = await readdir(gitDir).catch(() => [] as string[]);
  if (names.some((name) => name.startsWith('sharedindex.')))
    throw unready(`${path} has a split index. devflow cannot apply there.`, BY_HAND);
  const { stdout } = await privateGit.run(['config', '--list', '--show-scope', '-z'], { read: true });
  const parts = stdout.split('\0');
  const own = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [key = '', ...value] = (parts[at + 1] ?? '').split('\n');
    if (parts[at] === 'local') own.set(key, value.join('\n'));
  }
  const other = OF_FILES.find((key) => settings.get(key) !== own.get(key));
  if (other)
    throw unready(
      `${path} gets ${other} from a file that devflow does not read (an include, or config.worktree).`,
      BY_HAND,
    );
}
