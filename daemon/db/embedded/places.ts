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
import { dirname, join } from 'node:path';
import { readSettingsText } from '../../../schemas/config/settingsFile.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { PASSABLE } from '../../../schemas/files/paths.ts';
import { SYSTEM_DIR } from './binaries.ts';
import { canReach, type ServerUser } from './serverUser.ts';

/** sockaddr_un holds 108 bytes on Linux and 104 on macOS, with a closing NUL. */
const LONGEST_SOCKET_PATH = process.platform === 'darwin' ? 103 : 106;
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * Where the cluster really lies: `wanted`, unless the server's user cannot get there (below /root, say). Then it is a
 * system directory named by a hash of the wanted place, and `wanted/LOCATION` says so; from then on that file decides. The
 * parent directory exists after. Throws `workspace_permissions` when a cluster lies in a place that was closed later.
 */
export function placeData(wanted: string, user: ServerUser | undefined): string {
  mkdirSync(dirname(wanted), { recursive: true, mode: PASSABLE });
  const canonical = join(realpathSync(dirname(wanted)), wanted.slice(dirname(wanted).length + 1));
  const elsewhere = readSettingsText(join(canonical, 'LOCATION'))?.trim();
  if (elsewhere) return elsewhere;
  if (user === undefined || canReach(user, dirname(canonical))) return canonical;
  if (existsSync(join(canonical, 'PG_VERSION'))) {
    throw new DevflowError('workspace_permissions', `The database in ${canonical} is out of its server's reach.`, {
      recoveryHint: `Let user ${user.uid} pass through every directory above it (chmod o+x).`,
    });
  }
  const place = join(SYSTEM_DIR, 'data', shortHash(canonical));
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
  mkdirSync(canonical, { recursive: true, mode: 0o700 });
  writeFileSync(join(canonical, 'LOCATION'), `${place}\n`, { mode: 0o600 });
  return place;
}

/**
 * A directory for the socket that only the server's user (and root) may enter: `wanted`, or one below /run or /tmp named
 * by a hash when the path is too long for a socket or out of the server's reach.
 * Throws `workspace_permissions` when someone else sits in that place.
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

/** Makes `dir` 0700 and the server's own. False when it cannot be: unreachable, another's, or in use for other things. */
function makePrivate(dir: string, user: ServerUser | undefined): boolean {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const stat = statSync(dir);
    const owner = user?.uid ?? process.getuid?.() ?? stat.uid;
    if (user !== undefined && !canReach(user, dirname(dir))) return false;
    if (stat.uid !== owner) {
      // root's own directory may be given away, unless someone put something into it
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
