import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { listDomains } from '../../schemas/definitions/schemaIds.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import { orElse } from '../../schemas/orElse.ts';

/** Directories beyond this number are not watched, and `beyond` has them. */
export const MOST_DIRECTORIES = 200;
/** As many links as Linux follows. */
const MOST_LINKS = 40;

/** The entries of a directory that matter: these names, or all. */
export type WatchedNames = ReadonlySet<string> | 'all';

export interface DefinitionPlaces {
  directories: ReadonlyMap<string, WatchedNames>;
  /** Directories beyond the limit. */
  beyond: ReadonlySet<string>;
}

/** The same while it is filled. */
interface Found {
  directories: Map<string, WatchedNames>;
  beyond: Set<string>;
}

export type DefinitionPaths = Pick<Paths, 'configDir' | 'userTemplates' | 'userPersonas' | 'userArtifacts'>;

/**
 * The directories in which definition files of the person are, or could appear, by their real paths. These include the
 * places of links and of their targets. For a missing directory, the nearest one above it is included.
 */
export function definitionDirectories(paths: DefinitionPaths): DefinitionPlaces {
  const found: Found = { directories: new Map(), beyond: new Set() };
  // While it is a directory, its own watch reports that it goes.
  if (isLink(paths.configDir)) follow(found, paths.configDir);
  for (const path of [paths.userTemplates, paths.userPersonas]) addAll(found, path);
  addAll(found, paths.userArtifacts);
  for (const domain of listDomains(paths.userArtifacts)) addAll(found, join(paths.userArtifacts, domain));
  return found;
}

/** Adds a directory, and the places that its links lead to. */
function addAll(found: Found, path: string): void {
  const directory = follow(found, path);
  if (directory === undefined || !isDirectory(directory)) return;
  add(found, directory, 'all');
  for (const name of linksIn(directory)) follow(found, join(directory, name));
}

/** Adds the directory that holds this entry, and those of the links on the way. Returns where it leads to. */
function follow(found: Found, path: string, links = 0): string | undefined {
  const parent = dirname(path);
  if (!isDirectory(parent)) {
    follow(found, parent, links);
    return undefined;
  }
  const directory = realpathSync(parent);
  addName(found, directory, basename(path));
  if (!isLink(path)) return join(directory, basename(path));
  if (links === MOST_LINKS) return undefined;
  return follow(found, resolve(directory, readlinkSync(path)), links + 1);
}

function addName(found: Found, directory: string, name: string): void {
  const names = found.directories.get(directory);
  if (names !== 'all') add(found, directory, new Set([...(names ?? []), name]));
}

function add({ directories, beyond }: Found, directory: string, names: WatchedNames): void {
  if (directories.has(directory) || directories.size < MOST_DIRECTORIES) directories.set(directory, names);
  else beyond.add(directory);
}

function linksIn(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isSymbolicLink() ? [entry.name] : []));
  } catch {
    // It is gone, or may not be read.
    return [];
  }
}

function isLink(path: string): boolean {
  return orElse(() => lstatSync(path))?.isSymbolicLink() ?? false;
}

function isDirectory(path: string): boolean {
  return orElse(() => statSync(path))?.isDirectory() ?? false;
}
