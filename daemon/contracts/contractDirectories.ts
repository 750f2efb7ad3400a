import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Wanted } from '../../schemas/contracts/report/tree.ts';
import { lookInside } from '../../schemas/files/insideRoot.ts';

/** Further directories are not watched. */
const MOST_DIRECTORIES = 200;

/** The entries of a directory that matter: these names, or all. */
export type WatchedNames = ReadonlySet<string> | 'all';

/** The directories in which contract files are, or could appear. By path, relative to the repository. */
export function contractDirectories(repo: string, wanted: readonly Wanted[]): ReadonlyMap<string, WatchedNames> {
  const found = new Map<string, WatchedNames>();
  for (const { path, depth = 0, enters, isEnough } of wanted) {
    const names = path.split('/');
    for (const [nth, name] of names.entries()) {
      if (!addDirectory(repo, found, names.slice(0, nth).join('/'), name)) break;
    }
    addAll(repo, found, path, isEnough ? Math.min(depth, 1) : depth, enters);
  }
  return found;
}

/** Returns true if the directory exists. A link does not count as a directory. */
function addDirectory(repo: string, found: Map<string, WatchedNames>, path: string, name: string): boolean {
  const names = found.get(path);
  if (names === 'all') return true;
  if (names === undefined && (isFull(found) || !isDirectory(repo, path))) return false;
  found.set(path, new Set([...(names ?? []), name]));
  return true;
}

/** Adds a directory and those in it, so many levels deep. */
function addAll(
  repo: string,
  found: Map<string, WatchedNames>,
  path: string,
  depth: number,
  enters: (path: string) => boolean = () => true,
): void {
  if (depth === 0 || (isFull(found) && !found.has(path)) || !isDirectory(repo, path)) return;
  found.set(path, 'all');
  const below = depth > 1 ? directoriesIn(join(repo, path)).map((name) => `${path}/${name}`) : [];
  for (const each of below.filter(enters)) addAll(repo, found, each, depth - 1, enters);
}

function isFull(found: ReadonlyMap<string, WatchedNames>): boolean {
  return found.size >= MOST_DIRECTORIES;
}

function isDirectory(repo: string, path: string): boolean {
  if (path === '') return true;
  const seen = lookInside(repo, path);
  return seen.ok && seen.facts.isDirectory();
}

function directoriesIn(directory: string): string[] {
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch {
    // It is gone, or may not be read.
  }
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}
