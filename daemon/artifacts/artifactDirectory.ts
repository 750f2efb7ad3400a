import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { makeInside, readInside, writeInside } from '../../schemas/files/insideRoot.ts';
import { ARTIFACTS } from '../../schemas/names.ts';

const IGNORE_FILE = join(ARTIFACTS, '.gitignore');

/** True for a path in this directory, and for a directory with it. */
export function meetsArtifacts(path: string): boolean {
  return `${ARTIFACTS}/`.startsWith(`${path}/`) || path.startsWith(`${ARTIFACTS}/`);
}

/**
 * To git the second line is a comment. Gemini (0.61.0) refuses to read what git ignores. It also ends a line at a
 * carriage return, and reads `!*`: ignore nothing. So it can read earlier artifacts and the diff of a review.
 */
export const IGNORE_ALL = '*\n#\r!*\n';

/**
 * Makes the artifact directory with its own ignore file, so git never lists artifacts as changes. The repository's ignore
 * files do not change. Call it before each prompt and commit, because an agent may have removed it. Throws `path_unsafe`
 * if a link or a file is in the way. It does not recreate a missing worktree.
 */
export function ensureArtifactDirectory(worktree: string): void {
  const made = makeInside(worktree, ARTIFACTS);
  if (!made.ok && made.missing) return;
  const there = made.ok ? readInside(worktree, IGNORE_FILE, IGNORE_ALL.length) : made;
  if (there.ok && there.bytes.toString() === IGNORE_ALL) return;
  const written = made.ok ? writeInside(worktree, IGNORE_FILE, IGNORE_ALL) : made;
  if (written.ok) return;
  throw new DevflowError('path_unsafe', `devflow cannot use ${join(worktree, ARTIFACTS)}: ${written.fault}.`, {
    recoveryHint: `devflow needs ${ARTIFACTS}/ for itself. Replace it with a directory, then approve.`,
  });
}
