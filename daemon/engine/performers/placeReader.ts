import { relative } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { writeInside } from '../../../schemas/files/insideRoot.ts';
import { ensureArtifactDirectory } from '../../harness/artifact/artifactDirectory.ts';
import { openPrivateGit } from '../../harness/privateGit/privateGit.ts';
import { checkoutDetached, NO_BRANCH } from '../../harness/worktree/detachedWorktree.ts';
import { patchBetween } from '../../harness/worktree/diff.ts';
import type { LanePlace } from '../core/run/lanes.ts';
import type { PerformerPorts } from './performer.ts';

const MOST_OF_PATCH = 2 * 1024 * 1024;

/**
 * Gives the worktree of a reader its commit, and the diffs that its prompts name: an agent that only reads may have no shell to
 * ask git. `patches` has those that are known already, by where they start.
 */
export async function placeReader(
  { repoPath, path, startCommit: commit, diffs = [] }: LanePlace,
  { config }: Pick<PerformerPorts, 'config'>,
  patches: Map<string, string> = new Map(),
): Promise<void> {
  await checkoutDetached({ repoPath, path, commit, filters: config.git.filters });
  ensureArtifactDirectory(path);
  for (const { from, path: file } of diffs) {
    const patch = patches.get(from) ?? (await readPatch({ repoPath, path }, from, commit));
    patches.set(from, patch);
    const written = writeInside(path, relative(path, file), patch);
    if (!written.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${file}: ${written.fault}.`);
  }
}

async function readPatch(place: { repoPath: string; path: string }, from: string, to: string): Promise<string> {
  const privateGit = await openPrivateGit({ ...place, branch: NO_BRANCH, head: to });
  const { patch, truncated } = await patchBetween(privateGit, { from, to, cap: MOST_OF_PATCH });
  return truncated ? `${patch}The rest of the diff is left out: it is too long.\n` : patch;
}
