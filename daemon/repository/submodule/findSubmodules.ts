import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryPathFault } from '../../../schemas/files/repositoryPath.ts';
import { createGit } from '../git/git.ts';
import { gitDirectories, isDirectory } from '../git/repositoryFiles.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { withTemporaryGit } from '../privateGit/temporaryGit.ts';

/** A submodule of a commit. */
export interface Submodule {
  /** Relative to the root of the repository, without a slash at the end. */
  path: string;
  /** Its name in `.gitmodules`, which is also the name of its clone. */
  name: string;
  /** Full object id that the repository records. */
  commit: string;
}

/** The directories with the person's clones of submodules. A linked worktree has its own. */
export async function clonesOf(repoPath: string): Promise<string[]> {
  const { common, gitDir } = await gitDirectories(repoPath);
  return [...new Set([common, gitDir])].map((directory) => join(directory, 'modules'));
}

/** `source` is the git directory of the person's clone, which has the commit. Without one, `reason` says why. */
export type FoundSubmodule = Submodule & ({ source: string } | { source: null; reason: string });

/** devflow ignores more. */
const MOST = 1_000;

/**
 * The submodules of a commit, sorted by path. `clones` are the directories with their clones. From `.gitmodules` it uses only
 * names and paths, and refuses those that lead out of these directories.
 */
export async function findSubmodules(
  privateGit: PrivateGit,
  commit: string,
  clones: readonly string[],
): Promise<FoundSubmodule[]> {
  const declared = await readDeclared(privateGit, commit);
  if (declared.length === 0) return [];
  const good = declared.filter(({ path }) => path !== undefined && !isBadPath(path));
  const links = await readLinks(
    privateGit,
    commit,
    good.map(({ path }) => path as string),
  );
  const found: FoundSubmodule[] = declared.flatMap(({ name, path }) =>
    path === undefined || !isBadPath(path)
      ? []
      : [{ path, name, commit: '', source: null, reason: 'devflow refuses its path in .gitmodules' }],
  );
  for (const { name, path = '', url } of good) {
    const linked = links.get(path);
    // `.gitmodules` declares it, but the commit has no submodule there.
    if (linked === undefined || found.some((other) => other.path === path)) continue;
    const submodule = { path, name, commit: linked };
    const fault = nameFault(name, good) ?? urlFault(url);
    const source = fault ?? (await findClone(privateGit, submodule, clones));
    found.push('reason' in source ? { ...submodule, source: null, ...source } : { ...submodule, ...source });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** git reads a path that starts with a colon as a pattern. */
function isBadPath(path: string): boolean {
  return path.startsWith(':') || path.startsWith('-') || repositoryPathFault(path) !== undefined;
}

interface Declared {
  name: string;
  path?: string;
  url?: string;
}

/** The submodules that the `.gitmodules` of a commit declares, without its includes. */
async function readDeclared(privateGit: PrivateGit, commit: string): Promise<Declared[]> {
  const entry = (await privateGit.objects(['ls-tree', '--full-tree', commit, '--', '.gitmodules'], { read: true }))
    .stdout;
  const blob = /^100\d{3} blob (\S+)\t/.exec(entry)?.[1];
  if (blob === undefined) return [];
  const args = ['config', `--blob=${blob}`, '--no-includes', '--list', '-z'];
  const { stdout } = await privateGit.objects(args, { read: true, accept: [0, 1, 128], cap: 1024 * 1024 });
  const all = new Map<string, Declared>();
  for (const line of stdout.split('\0')) {
    const [, name, key, value] = /^submodule\.(.*)\.(path|url)\n(.*)$/s.exec(line) ?? [];
    if (name === undefined || all.size >= MOST) continue;
    all.set(name, { ...(all.get(name) ?? { name }), [key as string]: value });
  }
  return [...all.values()];
}

/** The commits of submodules in a tree, by path. */
async function readLinks(
  privateGit: PrivateGit,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let at = 0; at < paths.length; at += 200) {
    const args = ['ls-tree', '-z', '--full-tree', commit, '--', ...paths.slice(at, at + 200)];
    const { stdout } = await privateGit.objects(args, { read: true });
    for (const entry of stdout.split('\0')) {
      const [, linked, path] = /^160000 commit (\S+)\t(.*)$/s.exec(entry) ?? [];
      if (linked !== undefined && path !== undefined) found.set(path, linked);
    }
  }
  return found;
}

/** git refuses the same names. A name is a path below `modules`. */
function nameFault(name: string, all: readonly Declared[]): { reason: string } | undefined {
  const isBad = name.startsWith('-') || name.includes('\\') || repositoryPathFault(name) !== undefined;
  if (isBad) return { reason: 'devflow refuses its name in .gitmodules' };
  const isInside = all.some(
    (other) => name !== other.name && (name.startsWith(`${other.name}/`) || other.name.startsWith(`${name}/`)),
  );
  return isInside ? { reason: 'its name in .gitmodules is inside the name of another one' } : undefined;
}

/** devflow uses no URL. But a URL that git refuses is a sign of an attack. */
function urlFault(url = ''): { reason: string } | undefined {
  const isBad = url.startsWith('-') || /\p{Cc}/u.test(url) || /^[a-z0-9+.-]*::/i.test(url);
  return isBad ? { reason: 'devflow refuses its URL in .gitmodules' } : undefined;
}

async function findClone(
  { repoPath, path }: PrivateGit,
  submodule: Submodule,
  clones: readonly string[],
): Promise<{ source: string } | { reason: string }> {
  let seen = false;
  for (const directory of clones) {
    const source = join(directory, submodule.name);
    if (
      !(await isDirectory(join(source, 'objects'))) ||
      (await realpath(source)) !== join(await realpath(directory), submodule.name)
    )
      continue;
    seen = true;
    if (await hasCommit(source, submodule.commit, { repoPath, path })) return { source };
  }
  const fetched = `its clone lacks the commit ${submodule.commit.slice(0, 12)}`;
  return { reason: seen ? fetched : 'it is not cloned' };
}

function hasCommit(source: string, commit: string, { repoPath, path }: Pick<PrivateGit, 'repoPath' | 'path'>) {
  const place = { repoPath, path, branch: '', head: commit };
  return withTemporaryGit(place, source, createGit(), async (clone) => {
    const args = ['cat-file', '-e', `${commit}^{tree}`];
    return (await clone.objects(args, { read: true, accept: [0, 1, 128] })).exitCode === 0;
  });
}
