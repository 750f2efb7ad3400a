import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CLUSTERS_ELSEWHERE, LOCATION, recordHome } from '../../../schemas/embeddedServer/clusterHomes.ts';
import { clusterPlace } from '../../../schemas/embeddedServer/postmasterFile.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { PASSABLE } from '../../../schemas/files/paths.ts';
import { canReach, type ServerUser } from './serverUser.ts';

/** sockaddr_un holds 108 bytes on Linux and 104 on macOS, with a closing NUL. */
const LONGEST_SOCKET_PATH = process.platform === 'darwin' ? 103 : 106;
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * The directory of the cluster: `wanted`, unless the server's user cannot reach it (for example below /root). Then it is a
 * system directory named by a hash of `wanted`; `wanted/LOCATION` records it and decides from then on. Creates the parent
 * directory. Throws `workspace_permissions` if a cluster is in a place that became unreachable.
 */
export function placeData(wanted: string, user: ServerUser | undefined): string {
  mkdirSync(dirname(wanted), { recursive: true, mode: PASSABLE });
  const canonical = join(realpathSync(dirname(wanted)), basename(wanted));
  const place = clusterPlace(wanted);
  if (place !== canonical) {
    if (user !== undefined) recordHome(place, canonical);
    return place;
  }
  if (user === undefined || canReach(user, dirname(canonical))) return canonical;
  if (existsSync(join(canonical, 'PG_VERSION'))) {
    throw new DevflowError('workspace_permissions', `The database server cannot reach its data in ${canonical}.`, {
      recoveryHint: `Let user ${user.uid} enter every directory above it (chmod o+x).`,
    });
  }
  const elsewhere = join(CLUSTERS_ELSEWHERE, shortHash(canonical));
  mkdirSync(dirname(elsewhere), { recursive: true, mode: 0o755 });
  mkdirSync(canonical, { recursive: true, mode: 0o700 });
  writeFileSync(join(canonical, LOCATION), `${elsewhere}\n`, { mode: 0o600 });
  recordHome(elsewhere, canonical);
  return elsewhere;
}

/**
 * A directory for the socket that only the server's user (and root) may enter: `wanted` if possible. Otherwise one
 * below /run or /tmp, because that path is too long for a socket or unreachable for the server. Throws
 * `workspace_permissions` if none can be used.
 */
export function placeSocket(wanted: string, user: ServerUser | undefined): string {
  if (fits(wanted) && makePrivate(wanted, user)) return wanted;
  const roots = user === undefined ? [process.env.XDG_RUNTIME_DIR ?? '/tmp', '/tmp'] : ['/run', '/tmp'];
  const tried = roots.map((root) => join(root, `devflow-pg-${shortHash(wanted)}`));
  for (const dir of tried) if (fits(dir) && makePrivate(dir, user)) return dir;
  const bytes = Buffer.byteLength(join(wanted, SOCKET_NAME));
  throw new DevflowError(
    'workspace_permissions',
    `No place for the database's socket: ${join(wanted, SOCKET_NAME)} (${bytes} bytes, ${LONGEST_SOCKET_PATH} are allowed) and ${tried.join(', ')} cannot be used.`,
    { recoveryHint: 'Set DEVFLOW_HOME or XDG_RUNTIME_DIR to a short path of your own.' },
  );
}

function fits(dir: string): boolean {
  return Buffer.byteLength(join(dir, SOCKET_NAME)) <= LONGEST_SOCKET_PATH;
}

/** Makes `dir` private to the server's user. False if it is unreachable, belongs to another user, or has other content. */
function makePrivate(dir: string, user: ServerUser | undefined): boolean {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const stat = statSync(dir);
    const owner = user?.uid ?? process.getuid?.() ?? stat.uid;
    if (user !== undefined && !canReach(user, dirname(dir))) return false;
    if (stat.uid !== owner) {
      // A directory of root may get a new owner, unless it has other content.
      if (stat.uid !== 0 || readdirSync(dir).some((name) => !name.startsWith('.s.PGSQL.'))) return false;
      chownSync(dir, owner, user?.gid ?? stat.gid);
    }
    if ((stat.mode & 0o077) !== 0) chmodSync(dir, 0o700);
    return true;
  } catch {
    return false;
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
