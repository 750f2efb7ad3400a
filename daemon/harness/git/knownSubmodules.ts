import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryPathFault } from '../../../schemas/files/repositoryPath.ts';
import { keepText, type Lane, makeLane } from '../lane/lane.ts';
import { createGit, type Git } from './git.ts';
import { readText } from './repositoryFiles.ts';
import type { Submodule } from './submodules.ts';

/** A submodule that devflow filled in a worktree, from the person's clone `source`. */
export interface KnownSubmodule extends Submodule {
  source: string;
}

const RECORD = 'submodules.json';
const inside = z.string().refine((path) => repositoryPathFault(path) === undefined);
const Record = z.array(z.strictObject({ path: inside, name: inside, commit: z.string(), source: z.string() }));

export async function readKnown({ gitDir }: Lane): Promise<KnownSubmodule[]> {
  const text = await readText(join(gitDir, RECORD));
  if (text === undefined) return [];
  try {
    return Record.parse(JSON.parse(text));
  } catch {
    // Without it, each filled submodule is a repository that devflow does not know.
    return [];
  }
}

export async function keepKnown({ gitDir }: Lane, known: readonly KnownSubmodule[]): Promise<void> {
  await keepText(join(gitDir, RECORD), `${JSON.stringify(known)}\n`);
}

/** The git directory that an agent's git uses for a submodule. It goes with that of the worktree. */
export function submoduleGitDir({ entry }: Lane, { name }: Submodule): string {
  return join(entry.directory, 'modules', name);
}

/** devflow's own git directory of a submodule, inside the agent's. Its HEAD is the commit that the repository records. */
export function submoduleLane(
  lane: Lane,
  { filters, git = createGit(), ...submodule }: KnownSubmodule & { filters?: string[]; git?: Git },
): Promise<Lane> {
  const { path, commit, source } = submodule;
  const place = { repoPath: lane.repoPath, path: join(lane.path, path), branch: lane.branch, head: commit };
  const entry = { directory: submoduleGitDir(lane, submodule), ref: null, lock: null };
  return makeLane(place, source, entry, git, filters);
}

/** Whether the agent's git still has what devflow gave it: the recorded commit, and no branch, tag or stash. */
export async function hasMoved(lane: Lane, submodule: KnownSubmodule): Promise<boolean> {
  const directory = submoduleGitDir(lane, submodule);
  const [dotGit, head] = await Promise.all([
    readText(join(lane.path, submodule.path, '.git')),
    readText(join(directory, 'HEAD')),
  ]);
  if (dotGit !== `gitdir: ${directory}` || head !== submodule.commit) return true;
  const refs = await readdir(join(directory, 'refs'), { recursive: true, withFileTypes: true }).catch(() => []);
  return refs.some((entry) => !entry.isDirectory()) || (await readText(join(directory, 'packed-refs'))) !== undefined;
}
