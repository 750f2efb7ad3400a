import { dirname, join } from 'node:path';
import { lookInside, makeInside } from '../../schemas/files/insideRoot.ts';
import { meetsArtifacts } from '../artifacts/artifactDirectory.ts';
import { latin1Of, textOf } from '../repository/git/pathBytes.ts';
import { addExcluded } from '../repository/privateGit/ownExcludes.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { copyInWorker } from './copyInWorker.ts';

/** Files that no commit of a worktree gets: git ignores them, or devflow excludes them. Without the artifacts. */
export async function listMade(from: PrivateGit): Promise<string[]> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const listed = (await from.read(args, { bytes: true, timeoutMs: 600_000 })).split('\0').filter((path) => path !== '');
  return listed.map((path) => textOf(path).replace(/\/$/, '')).filter((path) => !meetsArtifacts(path));
}

/** Copies what a set-up made in one worktree into a checkout that nobody uses yet. Replaces nothing. */
export async function copyMade(from: PrivateGit, to: PrivateGit, signal: AbortSignal): Promise<void> {
  const paths = (await listMade(from)).filter((path) => {
    const parent = dirname(path);
    return !lookInside(to.path, path).ok && (parent === '.' || makeInside(to.path, parent).ok);
  });
  await addExcluded(to, paths.map(latin1Of));
  const jobs = paths.map((path) => ({ checkout: from.path, path, to: join(to.path, path), worktree: to.path }));
  await copyInWorker(jobs, { signal });
}
