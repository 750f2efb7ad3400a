import { DevflowError } from '../../../schemas/errors.ts';
import { writeInside } from '../../../schemas/files/insideRoot.ts';
import { readRegularText } from '../../../schemas/files/openRegular.ts';
import { SUPERUSER } from './cluster.ts';
import { type ServerUser, SYSTEM_USERS, userNameOf } from './serverUser.ts';

const MOST_BYTES = 1024 * 1024;
const MAP = 'devflow';

/**
 * Writes who may log in to the cluster, before each start. If the server runs as the person, the mode of its socket's directory
 * keeps others out. Under root the server runs as another user, who can enter that directory. Then Postgres checks the
 * system user (peer authentication) and admits only root and the owner of the cluster.
 */
export function restrictAccess(dataDir: string, user: ServerUser | undefined): void {
  const { hba, ident } = accessFiles(user, userNameOf);
  replace(dataDir, 'pg_ident.conf', ident);
  replace(dataDir, 'pg_hba.conf', hba);
}

/** Pure. */
export function accessFiles(
  user: ServerUser | undefined,
  nameOf: (uid: number) => string | undefined,
): { hba: string; ident: string } {
  const root = nameOf(0);
  // Peer authentication needs a name for root.
  if (user === undefined || root === undefined) return { hba: 'local all all trust\n', ident: '' };
  const owner = nameOf(user.uid);
  const names = owner === undefined || SYSTEM_USERS.includes(owner) ? [root] : [root, owner];
  return {
    hba: `local all all peer map=${MAP}\n`,
    ident: names.map((name) => `${MAP} ${quoted(name)} ${SUPERUSER}\n`).join(''),
  };
}

/** Unusual names need quotes in the file. */
function quoted(name: string): string {
  return /^[A-Za-z0-9_.-]+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** The server's user may read the file but, as root, does not own it. The directory keeps everybody else out. */
function replace(dataDir: string, name: string, text: string): void {
  if (readRegularText(`${dataDir}/${name}`, MOST_BYTES) === text) return;
  const written = writeInside(dataDir, name, text, 0o644);
  if (!written.ok)
    throw new DevflowError('db_unreachable', `${dataDir}/${name} could not be written: ${written.fault}.`);
}
