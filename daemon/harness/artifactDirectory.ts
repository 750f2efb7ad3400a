import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { makeInside, readInside, writeInside } from '../../schemas/insideRoot.ts';

/** All that devflow has in a worktree. The rest of `.devflow/` may be another tool's. */
export const ARTIFACTS = join('.devflow', 'artifacts');

const IGNORE_FILE = join(ARTIFACTS, '.gitignore');
const IGNORE_ALL = '*\n';

/**
 * Makes the directory of the artifacts, which ignores itself: so artifacts never show up as work, and the repository's own
 * ignore files stay as they are. Call it before each prompt and commit, for an agent may have removed it. Throws
 * `path_unsafe` when a link or a file stands in the way. A worktree that is gone is not made again.
 */
export function ensureArtifactDirectory(worktree: string): void {
  const made = makeInside(worktree, ARTIFACTS);
  if (!made.ok && made.missing) return;
  const there = made.ok ? readInside(worktree, IGNORE_FILE, IGNORE_ALL.length) : made;
  if (there.ok && there.bytes.toString() === IGNORE_ALL) return;
  const written = made.ok ? writeInside(worktree, IGNORE_FILE, IGNORE_ALL) : made;
  if (written.ok) return;
  throw new DevflowError('path_unsafe', `devflow cannot use ${join(worktree, ARTIFACTS)}: ${written.fault}.`, {
    recoveryHint: `devflow needs ${ARTIFACTS}/ for itself: replace what stands there by a directory, then approve.`,
  });
}
