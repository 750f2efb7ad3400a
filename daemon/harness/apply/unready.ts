import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../../../schemas/counted.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { shellWord } from '../../../schemas/shellWord.ts';
import { exists } from '../git/repositoryFiles.ts';
import { bytesOf, textOf } from './bytes.ts';
import type { Checkout } from './checkout.ts';
import { withIndexCopy } from './indexCopy.ts';
import { type Journal, readJournal } from './journal.ts';

/** What git leaves in a git directory while it is in the middle of something. */
const UNDER_WAY = [
  ['MERGE_HEAD', 'a merge'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['sequencer', 'a cherry-pick or revert'],
  ['BISECT_LOG', 'a bisection'],
] as const;

/** Settings by which git writes files. devflow's own calls must have the same. */
const OF_FILES = ['filemode', 'symlinks', 'ignorecase', 'precomposeunicode', 'autocrlf', 'eol'].map(
  (it) => `core.${it}`,
);

export const BY_HAND = 'Merge with your own git: devflow run apply --print shows the commands.';

/** A reason why this checkout does not take work now, and which files it is about. */
export function unready(
  message: string,
  recoveryHint: string,
  files: readonly string[] = [],
  cause?: unknown,
): DevflowError {
  return new DevflowError('checkout_unready', message, { recoveryHint, data: { files }, cause });
}

/** Throws checkout_unready unless a branch with a commit is checked out. */
export function assertHasBranch({ path, branch, commit }: Checkout): { branch: string; commit: string } {
  if (branch === null) {
    throw unready(
      `${path} has no branch checked out (HEAD is detached).`,
      'Check out the branch that takes the work (git switch <branch>), or make a new one: --branch <name>.',
    );
  }
  if (commit === null) throw unready(`The branch ${branch} in ${path} has no commits.`, 'Use --branch <name>.');
  return { branch, commit };
}

/** Throws checkout_unready unless the files of this checkout can be changed now. Changes nothing. */
export async function assertReady(checkout: Checkout): Promise<void> {
  const { path, gitDir } = checkout;
  for (const [name, what] of UNDER_WAY) {
    if (await exists(join(gitDir, name)))
      throw unready(
        `${path} is in the middle of ${what}.`,
        'Finish or abort it (git status says how), then apply again.',
      );
  }
  await assertPlainFiles(checkout);
  // What devflow left itself, it puts right before it applies.
  if (await readJournal(checkout)) return;
  if (await exists(join(gitDir, 'index.lock'))) throw locked(gitDir);
  const dirty = await dirtyPaths(checkout);
  if (dirty.length > 0) throw notClean(path, dirty);
}

/** Where devflow's git would write files in another way than the person's git, it writes none. */
async function assertPlainFiles({ path, gitDir, settings, lane }: Checkout): Promise<void> {
  if (/^(?:true|yes|on|1)$/i.test(settings.get('core.sparsecheckout') ?? ''))
    throw unready(`${path} is a sparse checkout, which devflow does not change.`, BY_HAND);
  const names = await readdir(gitDir).catch(() => [] as string[]);
  if (names.some((name) => name.startsWith('sharedindex.')))
    throw unready(`${path} has a split index, which devflow does not change.`, BY_HAND);
  const { stdout } = await lane.run(['config', '--list', '--show-scope', '-z'], { read: true });
  const parts = stdout.split('\0');
  const own = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [key = '', ...value] = (parts[at + 1] ?? '').split('\n');
    if (parts[at] === 'local') own.set(key, value.join('\n'));
  }
  const other = OF_FILES.find((key) => settings.get(key) !== own.get(key));
  if (other)
    throw unready(
      `${path} gets ${other} from a file that devflow does not follow (an include, or per worktree).`,
      BY_HAND,
    );
}

export function locked(gitDir: string): DevflowError {
  return unready(
    `Another git process works in this checkout: ${join(gitDir, 'index.lock')} exists.`,
    'Wait until it has ended, then try again. If no git runs, remove that file.',
  );
}

export function notClean(path: string, files: readonly string[]): DevflowError {
  const what = counted(files.length, 'file is', 'files are');
  return unready(
    `${path} has uncommitted changes: ${what} changed (${someOf(files)}).`,
    'Commit or stash them, then apply again.',
    files,
  );
}

export function leftBehind(path: string, { from, to }: Journal, files: readonly string[]): DevflowError {
  const reset = ['git', '-C', path, 'reset', '--hard'].map(shellWord).join(' ');
  return unready(
    `An apply in ${path} was cut short, and these files changed since: ${someOf(files)}.`,
    `Keep what you need of them, then choose: ${reset} ${from.slice(0, 12)} (before) or ${to.slice(0, 12)} (with the work).`,
    files,
  );
}

/** Names for a sentence. */
export function someOf(files: readonly string[]): string {
  const more = files.length > 5 ? ` and ${files.length - 5} more` : '';
  return `${files.slice(0, 5).join(', ')}${more}`;
}

/** Tracked files that differ from the index or from HEAD; those that git does not track do not count. */
export function dirtyPaths(checkout: Checkout): Promise<string[]> {
  return withIndexCopy(checkout, async (index) => {
    const flags = ['--porcelain=v1', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=all'];
    const { stdout } = await checkout.files(['status', ...flags], { index, bytes: true });
    return stdout.split('\0').flatMap((entry) => (entry === '' ? [] : [textOf(bytesOf(entry.slice(3)))]));
  });
}
