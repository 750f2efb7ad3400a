import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { repositoryPathFault } from '../../../schemas/files/repositoryPath.ts';
import { orElse } from '../../../schemas/orElse.ts';
import { createGit } from '../git/git.ts';
import { readText } from '../git/repositoryFiles.ts';
import { keepText } from '../privateGit/keepFiles.ts';
import { makePrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import type { Submodule } from './findSubmodules.ts';

/** A submodule that devflow filled in a worktree, from the person's clone `source`. */
export interface KnownSubmodule extends Submodule {
  source: string;
}

const RECORD = 'submodules.json';
const inside = z.string().refine((path) => repositoryPathFault(path) === undefined);
const Record = z.array(z.strictObject({ path: inside, name: inside, commit: z.string(), source: z.string() }));

export async function readKnown({ gitDir }: PrivateGit): Promise<KnownSubmodule[]> {
  const text = await readText(join(gitDir, RECORD));
  if (text === undefined) return [];
  // Without the record, each filled submodule counts as an unknown repository.
  return orElse(() => Record.parse(JSON.parse(text)), []);
}

export async function writeKnown({ gitDir }: PrivateGit, known: readonly KnownSubmodule[]): Promise<void> {
  await keepText(join(gitDir, RECORD), `${JSON.stringify(known)}\n`);
}

/** The git directory that an agent's git uses for a submodule. git removes it with the worktree's own git directory. */
export function submoduleGitDir({ entry }: PrivateGit, { name }: Submodule): string {
  return join(entry.directory, 'modules', name);
}

/** devflow's private git directory of a submodule, inside the agent's. Its HEAD is the recorded commit. */
export function submodulePrivateGit(
  privateGit: PrivateGit,
  { filters, ...submodule }: KnownSubmodule & { filters?: string[] },
): Promise<PrivateGit> {
  const { path, commit, source } = submodule;
  const place = {
    repoPath: privateGit.repoPath,
    path: join(privateGit.path, path),
    branch: privateGit.branch,
    head: commit,
  };
  const entry = { directory: submoduleGitDir(privateGit, submodule), ref: null, lock: null };
  return makePrivateGit(place, source, entry, createGit(), filters);
}

/** True if an agent changed the submodule's git directory: another commit, or a branch, tag or stash. */
export async function hasMoved(privateGit: PrivateGit, submodule: KnownSubmodule): Promise<boolean> {
  const directory = submoduleGitDir(privateGit, submodule);
  const [dotGit, head] = await Promise.all([
    readText(join(privateGit.path, submodule.path, '.git')),
    readText(join(directory, 'HEAD')),
  ]);
  if (dotGit !== `gitdir: ${directory}` || head !== submodule.commit) return true;
  const refs = await readdir(join(directory, 'refs'), { recursive: true, withFileTypes: true }).catch(() => []);
  return refs.some((entry) => !entry.isDirectory()) || (await readText(join(directory, 'packed-refs'))) !== undefined;
}

/** False if its path contains a link. git lists the link itself as changed. */
export async function isInPlace({ path: root }: PrivateGit, path: string): Promise<boolean> {
  const parent = await realpath(dirname(join(root, path))).catch(() => undefined);
  return parent === join(await realpath(root), dirname(path));
}
