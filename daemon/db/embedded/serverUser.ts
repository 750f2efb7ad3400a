import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orElse } from '../../../schemas/orElse.ts';

/** The user of the server when devflow runs as root, because Postgres refuses to run as root. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/** The users that the server may run as under root. No person logs in with these names. */
export const SYSTEM_USERS = ['postgres', '_postgres', 'nobody'];

/**
 * Undefined if we are not root: then the server runs as us. The owner of an existing cluster stays its user. So neither
 * a `postgres` user installed later nor `sudo devflow` locks anybody out.
 */
export function serverUser(dataDir?: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const cluster = dataDir === undefined ? undefined : statSync(join(dataDir, 'PG_VERSION'), { throwIfNoEntry: false });
  if (cluster !== undefined && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };
  const users = new Map<string, ServerUser>();
  for (const line of readPasswd().split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name !== undefined && Number(uid) > 0) users.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  for (const name of SYSTEM_USERS) {
    const user = users.get(name);
    if (user !== undefined) return user;
  }
  return { uid: 65534, gid: 65534 };
}

/** The first name of this uid; undefined if it has none. */
export function userNameOf(uid: number): string | undefined {
  for (const line of readPasswd().split('\n')) {
    const [name, , number] = line.split(':');
    if (name !== undefined && name !== '' && number === String(uid)) return name;
  }
  return undefined;
}

function readPasswd(): string {
  return orElse(() => readFileSync('/etc/passwd', 'utf8'), '');
}

/** True if `user` may enter every directory above `path`, and read and execute `path`. */
export function canUse(user: ServerUser, path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (!allows(user, at, at === path ? 0o5 : 0o1)) return false;
    if (dirname(at) === at) return true;
  }
}

/** True if `user` may enter `path` and every directory above it. */
export function canReach(user: ServerUser, path: string): boolean {
  return allows(user, path, 0o1) && (dirname(path) === path || canReach(user, dirname(path)));
}

function allows(user: ServerUser, path: string, bits: number): boolean {
  const { uid, gid, mode } = statSync(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}
