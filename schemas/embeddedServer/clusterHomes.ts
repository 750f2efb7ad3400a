import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeInside } from '../files/insideRoot.ts';
import { readSettingsText } from '../files/openRegular.ts';
import { canonicalPlace, clusterPlace, readRunningServer } from './postmasterFile.ts';

/** Clusters of root whose home the server's user cannot reach. Each is named by a hash of its home. */
export const CLUSTERS_ELSEWHERE = '/var/lib/devflow/data';

/** In the home: where its cluster is. */
export const LOCATION = 'LOCATION';

/** Beside a cluster: the data directories of the homes that use it, one a line as JSON. */
const RECORD = '.home';
const OWN_SOCKETS = /^devflow-pg-[0-9a-f]{16}$/;

const NAME = /^[0-9a-f]{16}$/;

function isElsewhere(place: string, root = CLUSTERS_ELSEWHERE): boolean {
  return dirname(place) === root && NAME.test(basename(place));
}

/** A home as it was when it last used the cluster. */
interface KnownHome {
  /** Its data directory. */
  path: string;
  /** The identities of that directory and of those above it, up to the top of its file system. */
  ground: string[];
}

/** Records that a home uses a cluster elsewhere, to distinguish it from a cluster whose home is gone. */
export function recordHome(place: string, wanted: string, root = CLUSTERS_ELSEWHERE): void {
  if (!isElsewhere(place, root)) return;
  const others = readKnownHomes(place).filter(({ path }) => path !== wanted);
  const homes = [...others, { path: wanted, ground: groundOf(wanted) }];
  const text = homes.map((home) => `${JSON.stringify(home)}\n`).join('');
  const name = `${basename(place)}${RECORD}`;
  // Without the record nobody removes the cluster.
  if (text !== readSettingsText(join(root, name))) writeInside(root, name, text, 0o600);
}

/** Empty for a cluster that only an older devflow has opened. */
export function readHomes(place: string): string[] {
  return readKnownHomes(place).map(({ path }) => path);
}

function readKnownHomes(place: string): KnownHome[] {
  const lines = (readSettingsText(`${place}${RECORD}`) ?? '').split('\n').filter(Boolean);
  return lines.map(parseHome);
}

/** A line that is only a path, or damaged: such a home is never known to be gone. */
function parseHome(line: string): KnownHome {
  try {
    const { path, ground } = JSON.parse(line);
    return { path: String(path), ground: [ground].flat().map(String) };
  } catch {
    return { path: line, ground: [] };
  }
}

function groundOf(path: string): string[] {
  const ground: string[] = [];
  const { dev } = lstatSync(path, { bigint: true });
  for (let at = path; ; at = dirname(at)) {
    const stat = lstatSync(at, { bigint: true });
    if (stat.dev !== dev) return ground;
    ground.push(`${stat.dev}:${stat.ino}`);
    if (at === dirname(at)) return ground;
  }
}

/** `unknown`: the home may be unmounted, in another namespace, or hidden from this user. */
type Use = 'used' | 'gone' | 'unknown';

/** The use of a cluster by its homes. `gone`: each is known to be gone, or none is recorded. */
export function useOfCluster(place: string): Use {
  const uses = readKnownHomes(place).map((home) => useOf(home, place));
  if (uses.includes('used')) return 'used';
  return uses.every((use) => use === 'gone') ? 'gone' : 'unknown';
}

function useOf({ path, ground }: KnownHome, place: string): Use {
  try {
    const named = readSettingsText(join(path, LOCATION))?.trim();
    if (named === place) return 'used';
    const { steps, identity } = nearestOf(path);
    // A mount point without its file system has another identity than that file system's top.
    if (identity === undefined || identity !== ground[steps]) return 'unknown';
    // A home without the file would find the cluster again by the hash of its path.
    return steps > 0 || named !== undefined ? 'gone' : 'unknown';
  } catch {
    return 'unknown';
  }
}

/** The nearest that exists: the path itself, or a directory above it. */
function nearestOf(path: string): { steps: number; identity: string | undefined } {
  let at = path;
  for (let steps = 0; ; steps++) {
    const identity = identityOf(at);
    if (identity !== undefined || at === dirname(at)) return { steps, identity };
    at = dirname(at);
  }
}

/** Undefined if there is nothing. Throws if this user cannot look. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Removes a cluster elsewhere, with what lies beside it for it. The caller has made sure that no server runs on it. */
export function removeCluster(place: string): void {
  const name = basename(place);
  removeSocketDir(place);
  // The record goes last: a cluster that is half removed can be found again.
  rmSync(place, { recursive: true, force: true });
  const beside = readdirSync(dirname(place)).filter(
    (each) => each.startsWith(`${name}.`) && each !== `${name}${RECORD}`,
  );
  for (const each of beside) rmSync(join(dirname(place), each), { recursive: true, force: true });
  rmSync(`${place}${RECORD}`, { force: true });
}

/**
 * Removes the parts of a home's cluster outside of it: the directory of its socket and, as root, its data. For a home
 * that is removed next; its server has ended.
 */
export function removeOutside(wanted: string): void {
  const place = clusterPlace(wanted);
  if (readRunningServer(place)) return;
  if (!isElsewhere(place)) removeSocketDir(place);
  // A person who can write this home could name the cluster of another home in it.
  else if (readHomes(place).every((home) => home === canonicalPlace(wanted))) removeCluster(place);
}

/** Postgres records the command line of its last start. */
function removeSocketDir(place: string): void {
  const [, directory = ''] =
    /"unix_socket_directories=([^"]*)"/.exec(readSettingsText(join(place, 'postmaster.opts')) ?? '') ?? [];
  if (!OWN_SOCKETS.test(basename(directory))) return;
  try {
    rmdirSync(directory);
  } catch {
    // Not empty, or not there.
  }
}
