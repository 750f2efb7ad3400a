import { DevflowError } from '../../../schemas/errors.ts';
import { writeInside } from '../../../schemas/insideRoot.ts';
import { readRegularText } from '../../../schemas/openRegular.ts';
import { SUPERUSER } from './cluster.ts';
import { type ServerUser, SYSTEM_USERS, userNameOf } from './serverUser.ts';

const MOST_BYTES = 1024 * 1024;
const MAP = 'devflow';

/**
 * Says who may log in to the cluster, before each start. Where the server is ours, its socket's directory is the door. As
 * root the server runs as another user, who can enter that directory: then the system tells the server who connects,
 * and only root may log in, besides the person whose cluster it is.
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
  // Without a name for root the server cannot tell who connects.
  if (user === undefined || root === undefined) return { hba: 'local all all trust\n', ident: '' };
  const owner = nameOf(user.uid);
  const names = owner === undefined || SYSTEM_USERS.includes(owner) ? [root] : [root, owner];
  return {
    hba: `local all all peer map=${MAP}\n`,
    ident: names.map((name) => `${MAP} ${quoted(name)} ${SUPERUSER}\n`).join(''),
  };
}

/** A name that is not plain is quoted in the file. */
function quoted(name: string): string {
  return /^[A-Za-z0-9_.-]+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Readable for the server's user and, as root, not its own. The directory lets nobody else in. */
function replace(dataDir: string, name: string, text: string): void {
  if (readRegularText(`${dataDir}/${name}`, MOST_BYTES) === text) return;
  const written = writeInside(dataDir, name, text, 0o644);
  if (!written.ok) throw new DevflowError('db_unreachable', `${dataDir}/${name} cannot be written: ${written.fault}.`);
}
