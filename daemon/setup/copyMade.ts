import { dirname, join } from 'node:path';
import { lookInside, makeInside } from '../../schemas/files/insideRoot.ts';
import { meetsArtifacts } from '../artifacts/artifactDirectory.ts';
import { latin1Of, textOf } from '../repository/git/pathBytes.ts';
import { addExcluded } from '../repository/privateGit/ownExcludes.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { copyInWorker, whyNotCopied } from './copyInWorker.ts';
import type { Refusal } from './findIgnored.ts';

/** Files that no commit of a worktree gets: git ignores them, or devflow excludes them. Without the artifacts. */
export async function listMade(from: PrivateGit): Promise<string[]> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const listed = (await from.read(args, { bytes: true, timeoutMs: 600_000 })).split('\0').filter((path) => path !== '');
  return listed.map((path) => textOf(path).replace(/\/$/, '')).filter((path) => !meetsArtifacts(path));
}

/**
 * Copies what a set-up made in one worktree into a checkout that nobody uses yet. Replaces nothing. Returns what could not be
 * copied.
 */
export async function copyMade(from: PrivateGit, to: PrivateGit, signal: AbortSignal): Promise<Refusal[]> {
  const paths: string[] = [];
  const refused: Refusal[] = [];
  for (const path of await listMade(from)) {
    if (lookInside(to.path, path).ok) continue;
    const parent = dirname(path);
    const made = parent === '.' ? undefined : makeInside(to.path, parent);
    if (made?.ok === false) refused.push({ path, reason: `has no directory: ${made.fault}` });
    else paths.push(path);
  }
  await addExcluded(to, paths.map(latin1Of));
  const jobs = paths.map((path) => ({ checkout: from.path, path, to: join(to.path, path), worktree: to.path }));
  const copies = await copyInWorker(jobs, { signal });
  for (const [nth, copied] of copies.entries()) {
    const job = jobs[nth] as (typeof jobs)[number];
    const reason = await whyNotCopied(copied, job.to);
    if (reason !== undefined) refused.push({ path: job.path, reason });
  }
  return refused;
}
