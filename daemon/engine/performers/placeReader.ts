import { join, relative } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { writeInside } from '../../../schemas/files/insideRoot.ts';
import { removeInside } from '../../../schemas/files/moveInside.ts';
import type { Refused } from '../../../schemas/files/openRegular.ts';
import { ensureArtifactDirectory } from '../../artifacts/artifactDirectory.ts';
import type { LanePlace, ReaderDiff } from '../../core/run/lanes.ts';
import { readChange } from '../../repository/change/readChange.ts';
import { type RemovedFile, removedFiles } from '../../repository/change/removedFiles.ts';
import { openPrivateGit } from '../../repository/privateGit/privateGit.ts';
import { checkoutDetached, NO_BRANCH } from '../../repository/worktree/detachedWorktree.ts';
import { patchBetween } from '../../repository/worktree/diff.ts';
import type { PerformerPorts } from './performer.ts';

const MOST_OF_PATCH = 2 * 1024 * 1024;

/** Files about a change for its readers, by the commit before it. */
export type ReaderFiles = Map<string, { patch: string; before: RemovedFile[] }>;

/** Gives a reader's worktree its commit, the diffs of its prompts, and the old text of files that lost lines. */
export async function placeReader(
  { repoPath, path, startCommit: commit, diffs = [] }: LanePlace,
  { config }: Pick<PerformerPorts, 'config'>,
  known: ReaderFiles = new Map(),
): Promise<void> {
  await checkoutDetached({ repoPath, path, commit, filters: config.git.filters });
  ensureArtifactDirectory(path);
  for (const diff of diffs) {
    const files = known.get(diff.from) ?? (await readFiles({ repoPath, path }, diff, commit));
    known.set(diff.from, files);
    write(path, diff.path, files.patch);
    if (diff.before !== undefined) clear(path, diff.before);
    for (const file of files.before) write(path, join(diff.before ?? '', file.path), file.text);
  }
}

function write(root: string, file: string, text: string): void {
  assertDone(file, writeInside(root, relative(root, file), text));
}

/** Removes the old texts of an earlier commit. A reader would trust them, and they could block new directories. */
function clear(root: string, directory: string): void {
  const removed = removeInside(root, relative(root, directory));
  if (!removed.ok && removed.code !== 'ENOENT') assertDone(directory, removed);
}

function assertDone(file: string, done: { ok: true } | Refused): void {
  if (!done.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${file}: ${done.fault}.`);
}

async function readFiles(place: { repoPath: string; path: string }, { from, before }: ReaderDiff, to: string) {
  const privateGit = await openPrivateGit({ ...place, branch: NO_BRANCH, head: to });
  const { patch, truncated } = await patchBetween(privateGit, { from, to, cap: MOST_OF_PATCH });
  const files = before === undefined ? [] : (await readChange(privateGit, from, to)).files;
  return {
    patch: truncated ? `${patch}The rest of the diff is left out: it is too long.\n` : patch,
    before: await removedFiles(privateGit, from, files),
  };
}
