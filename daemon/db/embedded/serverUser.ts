import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Whom the server runs as when devflow runs as root: Postgres refuses to. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/** The users that the server may run as for root. No person works under these names. */
export const SYSTEM_USERS = ['postgres', '_postgres', 'nobody'];

/**
 * Undefined when we are not root: then the server is simply ours. The owner of an existing cluster goes on being its user,
 * so that neither a `postgres` user that was installed later nor a `sudo devflow` locks anybody out.
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

/** The first name of this user number; undefined if it has none. */
export function userNameOf(uid: number): string | undefined {
  for (const line of readPasswd().split('\n')) {
    const [name, , number] = line.split(':');
    if (name !== undefined && name !== '' && number === String(uid)) return name;
  }
  return undefined;
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

/** True when `user` may pass through every directory above `path` and read or run `path` itself. */
export function canUse(user: ServerUser, path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (!allows(user, at, at === path ? 0o5 : 0o1)) return false;
    if (dirname(at) === at) return true;
  }
}

/** True when `user` may pass through `path` and every directory above it. */
export function canReach(user: ServerUser, path: string): boolean {
  return allows(user, path, 0o1) && (dirname(path) === path || canReach(user, dirname(path)));
}

function allows(user: ServerUser, path: string, bits: number): boolean {
  const { uid, gid, mode } = statSync(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}
