import { copyFile, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exists, isDirectory, readText } from '../git/repositoryFiles.ts';
import { keepText } from '../privateGit/keepFiles.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex } from '../privateGit/privateIndex.ts';
import { findSubmodules, type Submodule } from './findSubmodules.ts';
import { type KnownSubmodule, readKnown, submoduleGitDir, submodulePrivateGit, writeKnown } from './knownSubmodules.ts';

export interface FillSubmodules {
  /** The directories `modules` with the person's clones. */
  clones: readonly string[];
  /** The final path of the worktree. */
  path: string;
  filters: string[];
  /** The files are there already; they stay as they are. */
  keepFiles?: boolean;
}

/** Deeper submodules stay empty. */
const DEEPEST = 10;

/**
 * Fills the submodules of a worktree from the person's clones, without network access. They share the objects, but not refs
 * and configuration. A submodule that is not cloned stays empty. No setting of the repository counts.
 */
export async function fillSubmodules(privateGit: PrivateGit, wanted: FillSubmodules, depth = 0): Promise<void> {
  if (depth >= DEEPEST) return;
  const known: KnownSubmodule[] = await readKnown(privateGit);
  const isFilled = ({ path }: Submodule) => known.some((filled) => filled.path === path);
  for (const submodule of await findSubmodules(privateGit, 'HEAD', wanted.clones)) {
    if (isFilled(submodule)) continue;
    if (submodule.source === null || !(await isFillable(privateGit, submodule.path, wanted))) continue;
    const { path, name, commit, source } = submodule;
    const filled = await fillOne(privateGit, { path, name, commit, source }, wanted, depth).then(
      () => true,
      (error) => leaveEmpty(privateGit, submodule, error, wanted),
    );
    if (filled) known.push({ path, name, commit, source });
  }
  if (known.length === 0) return;
  await writeKnown(privateGit, known);
  if (depth > 0) await activate(privateGit, known);
}

/** Lets `git submodule` work for an agent. At depth 0 the person's configuration has it already. */
async function activate({ entry }: PrivateGit, known: readonly KnownSubmodule[]): Promise<void> {
  const file = join(entry.directory, 'config');
  const sections = known.map(({ name }) => `[submodule "${escaped(name)}"]\n\tactive = true\n`);
  await keepText(file, `${await readText(file)}\n${sections.join('')}`);
}

function escaped(text: string): string {
  return text.replace(/[\\"]/g, '\\$&');
}

/** If the clone lacks objects, the submodule stays empty, because devflow fetches none. Rethrows other errors. */
async function leaveEmpty(
  privateGit: PrivateGit,
  submodule: Submodule,
  error: Error,
  { keepFiles }: FillSubmodules,
): Promise<false> {
  if (!/unable to read|could not read|missing|bad object|invalid object/i.test(error.message)) throw error;
  await rm(submoduleGitDir(privateGit, submodule), { recursive: true, force: true });
  if (keepFiles) return false;
  const target = join(privateGit.path, submodule.path);
  for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true });
  return false;
}

async function fillOne(privateGit: PrivateGit, submodule: KnownSubmodule, wanted: FillSubmodules, depth: number) {
  const directory = submoduleGitDir(privateGit, submodule);
  const path = join(wanted.path, submodule.path);
  await mkdir(join(directory, 'objects', 'info'), { recursive: true, mode: 0o700 });
  await mkdir(join(directory, 'refs'), { recursive: true, mode: 0o700 });
  await keepText(join(directory, 'objects', 'info', 'alternates'), `${join(submodule.source, 'objects')}\n`);
  const shallow = join(submodule.source, 'shallow');
  if (await exists(shallow)) await copyFile(shallow, join(directory, 'shallow'));
  const inner = await submodulePrivateGit(privateGit, { ...submodule, filters: wanted.filters });
  const settings = (await readText(join(inner.gitDir, 'config'))) ?? '';
  await keepText(join(directory, 'config'), `${settings}\n[core]\n\tworktree = "${escaped(path)}"\n`);
  await keepText(join(directory, 'HEAD'), `${submodule.commit}\n`);
  await inner.run(['read-tree', ...(wanted.keepFiles ? [] : ['-m', '-u']), 'HEAD'], { timeoutMs: 600_000 });
  if (wanted.keepFiles) await inner.run(['update-index', '-q', '--refresh'], { accept: [0, 1], timeoutMs: 600_000 });
  await giveIndex(inner);
  await keepText(join(inner.path, '.git'), `gitdir: ${directory}\n`);
  const clones = [join(submodule.source, 'modules')];
  await fillSubmodules(inner, { ...wanted, clones, path }, depth + 1);
}

/** True if the path is the directory that git made for it in the worktree, and no link. */
async function isFillable(privateGit: PrivateGit, path: string, { keepFiles }: FillSubmodules): Promise<boolean> {
  const target = join(privateGit.path, path);
  if (!(await isDirectory(target))) return false;
  if ((await realpath(dirname(target))) !== join(await realpath(privateGit.path), dirname(path))) return false;
  const isEmpty = (await readdir(target)).length === 0;
  return isEmpty !== (keepFiles ?? false);
}
