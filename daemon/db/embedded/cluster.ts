import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type pg from 'pg';
import type { PostmasterFile } from '../../../schemas/embeddedServer/postmasterFile.ts';
import { CLUSTER_DRAFT } from '../../../schemas/embeddedServer/watchCluster.ts';
import { damaged } from '../../../schemas/errors/databaseDamage.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { PASSABLE } from '../../../schemas/files/paths.ts';
import type { Binaries } from './binaries.ts';
import { serverFailure } from './serverFailure.ts';
import type { ServerUser } from './serverUser.ts';

/** The superuser of an embedded cluster. It has no password; `access.ts` limits who may log in. */
export const SUPERUSER = 'devflow';
const MAJOR = '16';

/** True if `dataDir` holds a cluster of our version. Throws `db_damaged`, or `db_unreachable` if it holds anything else. */
export function isInitialised(dataDir: string): boolean {
  const file = join(dataDir, 'PG_VERSION');
  if (existsSync(file)) {
    const found = readFileSync(file, 'utf8').trim();
    if (found === MAJOR) return true;
    if (!/^\d+(?:\.\d+)?$/.test(found)) throw damaged(`The database in ${dataDir}`, 'PG_VERSION names no version');
    throw new DevflowError(
      'db_unreachable',
      `${dataDir} was created by PostgreSQL ${found}; this devflow has PostgreSQL ${MAJOR}.`,
      {
        recoveryHint:
          'Use the devflow version that created it, or move the directory away to start with an empty database.',
      },
    );
  }
  if (existsSync(join(dataDir, 'global/pg_control')))
    throw damaged(`The database in ${dataDir}`, 'PG_VERSION is missing');
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new DevflowError('db_unreachable', `${dataDir} is not empty and is not a database.`, {
      recoveryHint: 'Move its content away, or set another DEVFLOW_HOME.',
    });
  }
  return false;
}

/**
 * Creates the cluster in a draft directory and renames it, so that it is complete or absent. Takes about 0.8 s. Throws
 * `disk_full`, `workspace_permissions` or `db_unreachable`.
 */
export async function initialise(dataDir: string, binaries: Binaries, user: ServerUser | undefined): Promise<void> {
  sweepDrafts(dataDir);
  const draft = mkdtempSync(`${dataDir}${CLUSTER_DRAFT}`);
  try {
    if (user !== undefined) chownSync(draft, user.uid, user.gid);
    const flags = ['-U', SUPERUSER, '-E', 'UTF8', '--locale=C', '--wal-segsize=4', '--data-checksums'];
    const ran = await execa(
      binaries.initdb,
      ['-D', draft, ...flags, '--auth-local=trust', '--auth-host=reject', '--no-instructions'],
      {
        ...user,
        cwd: '/',
        env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
        extendEnv: false,
        reject: false,
        all: true,
      },
    );
    if (ran.exitCode !== 0) {
      throw serverFailure(`Creating the database in ${dataDir}`, ran.all || ran.shortMessage || '', undefined);
    }
    renameSync(draft, dataDir);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw serverFailure(`Creating the database in ${dataDir}`, '', error);
  }
}

/** Removes drafts of a devflow that died in initdb. The start lock excludes other users. */
function sweepDrafts(dataDir: string): void {
  mkdirSync(dirname(dataDir), { recursive: true, mode: PASSABLE });
  const prefix = `${dataDir}${CLUSTER_DRAFT}`;
  for (const name of readdirSync(dirname(dataDir))) {
    const path = join(dirname(dataDir), name);
    if (path.startsWith(prefix) && statSync(path).isDirectory()) rmSync(path, { recursive: true, force: true });
  }
}

/** Where a connection finds the embedded server, and as whom it logs in. */
export function addressOf({ socketDir, port }: PostmasterFile): pg.ClientConfig {
  // PG* variables for another database must not apply here.
  return { host: socketDir, port, user: SUPERUSER, database: 'postgres', password: '', ssl: false };
}
