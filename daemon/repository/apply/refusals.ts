import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { counted, someOf } from '../../../schemas/text/phrases.ts';
import { shellWord } from '../../../schemas/text/visible.ts';

export const BY_HAND = 'Merge with your own git: devflow run apply --print shows the commands.';

/** The refusal of a checkout that cannot take the work now, with the files that are the reason. */
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
    `Another git process is running in this checkout: ${join(gitDir, 'index.lock')} exists.`,
    'Wait until it ends, then apply again. If no git process is running, remove that file.',
  );
}

export function notClean(path: string, files: readonly string[]): DevflowError {
  const what = counted(files.length, 'uncommitted file');
  return unready(`${path} has ${what}: ${someOf(files)}.`, 'Commit or stash them, then apply again.', files);
}

/** `from` and `to`: the commits of the branch before and after the apply. */
export function interruptedAndChanged(
  path: string,
  { from, to }: { from: string; to: string },
  files: readonly string[],
): DevflowError {
  const reset = ['git', '-C', path, 'reset', '--hard'].map(shellWord).join(' ');
  return unready(
    `An earlier apply in ${path} was interrupted, and these files changed since: ${someOf(files)}.`,
    `Save what you need from them. Then run ${reset} ${from.slice(0, 12)} (without the work) or ${reset} ${to.slice(0, 12)} (with it).`,
    files,
  );
}
