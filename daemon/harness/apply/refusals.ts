import { join } from 'node:path';
import { counted } from '../../../schemas/counted.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { shellWord } from '../../../schemas/shellWord.ts';
import type { Journal } from './journal.ts';

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
