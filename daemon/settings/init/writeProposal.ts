import { closeSync, constants, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { lookInside } from '../../../schemas/files/insideRoot.ts';
import { SETTINGS_FILE } from '../../../schemas/names.ts';
import type { ResolvedSettings } from '../resolveSettings.ts';
import { proposalOf } from './proposal.ts';

/** Ignored files that repositories keep beside their programs. */
const USUAL_FILES = ['.env', '.env.local', '.env.test', '.env.development', 'config/master.key'];

/** The text of a devflow.yaml that says what devflow guesses. */
export function proposalFor({ guess, clones, repoPath }: ResolvedSettings): string {
  const clone = clones.flatMap(({ directories }) => directories);
  const copy = USUAL_FILES.filter((path) => lookInside(repoPath, path).ok);
  const why = { verify: guess.whyOf?.(['verify']), worktree: guess.whyOf?.(['worktree']) };
  return proposalOf({ settings: guess.settings, why, clone, copy });
}

/** Writes it into the checkout. Never overwrites, and follows no link. Throws `file_exists`. */
export function writeProposal(repoPath: string, text: string): string {
  const path = join(repoPath, SETTINGS_FILE);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  let fd: number;
  try {
    fd = openSync(path, flags, 0o644);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new DevflowError('file_exists', `${path} exists already, and devflow does not overwrite it.`, {
      cause,
      recoveryHint: 'Change it, and check it with devflow repository check.',
    });
  }
  try {
    writeFileSync(fd, text);
  } catch (error) {
    // An empty file would be there the next time.
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
  return path;
}
