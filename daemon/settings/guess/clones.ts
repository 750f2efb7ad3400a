import type { Stats } from 'node:fs';
import { lookInside, readInside } from '../../../schemas/files/insideRoot.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import { inDirectory, nameOf } from '../../discovery/candidate/paths.ts';
import { recordOf } from '../../discovery/candidate/reader.ts';
import type { Cloneable } from './guessSettings.ts';

/** No lock file is larger. */
export const MOST_LOCK_BYTES = 32 * 1024 * 1024;

/** A directory of the checkout that is cloned, and the commands that are then not needed. */
export interface Clone {
  directories: string[];
  lock: string;
  commands: string[][];
}

/**
 * The installed directories of the checkout that can be cloned. Their lock file is the one of the base commit, and not newer
 * than they are. `hashOf`: of a file of that commit.
 */
export async function clonesIn(
  checkout: string,
  cloneable: readonly Cloneable[],
  hashOf: (path: string) => Promise<string | undefined>,
): Promise<Clone[]> {
  const clones: Clone[] = [];
  for (const { directories, lock, commands } of cloneable) {
    const [main = ''] = directories;
    if (!isDirectory(checkout, main) || !isInstalled(checkout, main, lock)) continue;
    const read = readInside(checkout, lock, MOST_LOCK_BYTES);
    if (!read.ok || sha256hex(read.bytes) !== (await hashOf(lock))) continue;
    clones.push({ directories: directories.filter((each) => isDirectory(checkout, each)), lock, commands });
  }
  return clones;
}

function isDirectory(checkout: string, path: string): boolean {
  return factsOf(checkout, path)?.isDirectory() === true;
}

function factsOf(checkout: string, path: string): Stats | undefined {
  const looked = lookInside(checkout, path);
  return looked.ok ? looked.facts : undefined;
}

/** Files that a tool writes last, when it has installed everything. */
const MARKS = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity', 'composer/installed.json'];

/** True if the directory was installed from the lock file as it is now, and not from an earlier one. */
function isInstalled(checkout: string, directory: string, lock: string): boolean {
  if (nameOf(lock) === 'package-lock.json') {
    const same = isSameAsHidden(checkout, directory, lock);
    if (same !== undefined) return same;
  }
  const [made, locked] = [lastInstall(checkout, directory), factsOf(checkout, lock)];
  return made !== undefined && locked !== undefined && made >= locked.mtimeMs;
}

function lastInstall(checkout: string, directory: string): number | undefined {
  const marks = MARKS.flatMap((name) => factsOf(checkout, inDirectory(directory, name))?.mtimeMs ?? []);
  if (marks.length > 0) return Math.max(...marks);
  // Each installed package changes the directory of packages.
  const version = pythonVersionOf(checkout, directory);
  const packages = version === undefined ? directory : `${directory}/lib/python${version}/site-packages`;
  return factsOf(checkout, packages)?.mtimeMs;
}

function pythonVersionOf(checkout: string, directory: string): string | undefined {
  const read = readInside(checkout, inDirectory(directory, 'pyvenv.cfg'), 64 * 1024);
  return read.ok ? /^version(?:_info)?\s*=\s*(\d+\.\d+)/m.exec(read.bytes.toString('utf8'))?.[1] : undefined;
}

/**
 * npm notes what it installed. True if the lock file wants the same, whatever times a change of branch gave to the files.
 * Undefined without such a note.
 */
function isSameAsHidden(checkout: string, directory: string, lock: string): boolean | undefined {
  const [wanted, installed] = [lock, inDirectory(directory, '.package-lock.json')].map((path) =>
    packagesIn(checkout, path),
  );
  if (wanted === undefined || installed === undefined) return undefined;
  const isSame = Object.entries(installed).every(([path, one]) => versionOf(one) === versionOf(wanted[path]));
  return isSame && Object.entries(wanted).every(([path, one]) => path in installed || isLeftOut(path, one));
}

function packagesIn(checkout: string, path: string): Record<string, unknown> | undefined {
  const read = readInside(checkout, path, MOST_LOCK_BYTES);
  if (!read.ok) return undefined;
  try {
    const { packages } = recordOf(JSON.parse(read.bytes.toString('utf8')));
    return packages === undefined ? undefined : recordOf(packages);
  } catch {
    return undefined;
  }
}

function versionOf(entry: unknown): string {
  const { version, integrity, link, resolved } = recordOf(entry);
  return link === true ? `link ${resolved}` : `${version} ${integrity}`;
}

/** The project itself, packages of the workspace, and what does not fit this machine. */
function isLeftOut(path: string, entry: unknown): boolean {
  const { optional, peer, devOptional } = recordOf(entry);
  return !path.split('/').includes('node_modules') || optional === true || devOptional === true || peer === true;
}
