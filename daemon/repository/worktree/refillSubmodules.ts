import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { latin1Of } from '../git/pathBytes.ts';
import { readText } from '../git/repositoryFiles.ts';
import { filtersOf } from '../privateGit/privateConfig.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { fillSubmodules } from '../submodule/fillSubmodules.ts';
import { clonesOf, findSubmodules, type Submodule } from '../submodule/findSubmodules.ts';
import {
  isInPlace,
  type KnownSubmodule,
  readKnown,
  submoduleGitDir,
  writeKnown,
} from '../submodule/knownSubmodules.ts';
import { clearPath } from '../tree/treeFiles.ts';
import { isUnchanged } from './worktreeStatus.ts';

/**
 * Gives the submodules of a worktree the commits of its HEAD, after the HEAD moved. A submodule that somebody changed stays,
 * unless `discard`: then all submodules become as in a new worktree.
 */
export async function refillSubmodules(privateGit: PrivateGit, discard = false): Promise<void> {
  const known = await readKnown(privateGit);
  const clones = await clonesOf(privateGit.repoPath);
  const found = await findSubmodules(privateGit, 'HEAD', clones);
  if (known.length === 0 && found.length === 0) return;
  const kept: KnownSubmodule[] = [];
  const stale: KnownSubmodule[] = [];
  for (const submodule of known) {
    const isWanted = found.some(({ path, commit }) => path === submodule.path && commit === submodule.commit);
    const state = await stateOf(privateGit, submodule);
    const keeps = state === 'unchanged' ? isWanted : state === 'changed' && !discard;
    (keeps ? kept : stale).push(submodule);
  }
  const isListed = ({ path }: Submodule) => known.some((each) => each.path === path);
  if (discard) stale.push(...found.filter((it): it is KnownSubmodule => it.source !== null && !isListed(it)));
  for (const submodule of stale) await removeFiles(privateGit, submodule, found);
  await writeKnown(privateGit, kept);
  const filters = filtersOf((await readText(join(privateGit.gitDir, 'config'))) ?? '');
  await fillSubmodules(privateGit, { clones, path: privateGit.path, filters });
}

/** An empty directory is what a killed refill leaves. */
async function stateOf(privateGit: PrivateGit, submodule: KnownSubmodule): Promise<'empty' | 'unchanged' | 'changed'> {
  if (!(await isInPlace(privateGit, submodule.path))) return 'changed';
  const names = await readdir(join(privateGit.path, submodule.path)).catch(() => []);
  if (names.length === 0) return 'empty';
  return (await isUnchanged(privateGit, submodule).catch(() => false)) ? 'unchanged' : 'changed';
}

/** Removes the files first: a submodule without them is filled again. Its directory stays if HEAD has one there. */
async function removeFiles(privateGit: PrivateGit, submodule: KnownSubmodule, found: readonly Submodule[]) {
  if (await isInPlace(privateGit, submodule.path)) {
    await clearPath(privateGit.path, latin1Of(submodule.path));
    const isListed = found.some(({ path }) => path === submodule.path);
    if (isListed) await mkdir(join(privateGit.path, submodule.path), { recursive: true, mode: 0o755 });
  }
  await rm(submoduleGitDir(privateGit, submodule), { recursive: true, force: true, maxRetries: 5 });
}
