import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeInside } from '../files/insideRoot.ts';
import { readSettingsText } from '../files/settingsFile.ts';
import { clusterPlace, readRunningServer } from './postmasterFile.ts';

/** Clusters of root whose home the server's user cannot reach. Each is named by a hash of its home. */
export const CLUSTERS_ELSEWHERE = '/var/lib/devflow/data';

/** In the home: where its cluster is. */
export const LOCATION = 'LOCATION';

/** Beside a cluster: the data directories of the homes that use it, one a line. */
const RECORD = '.home';
const OWN_SOCKETS = /^devflow-pg-[0-9a-f]{16}$/;

const NAME = /^[0-9a-f]{16}$/;

function isElsewhere(place: string, root = CLUSTERS_ELSEWHERE): boolean {
  return dirname(place) === root && NAME.test(basename(place));
}

/** Records that a home uses a cluster elsewhere, so that the cluster can be told from one whose home is gone. */
export function recordHome(place: string, wanted: string, root = CLUSTERS_ELSEWHERE): void {
  if (!isElsewhere(place, root)) return;
  const homes = readHomes(place);
  if (homes.includes(wanted)) return;
  const used = homes.filter((home) => useOf(home, place) !== 'gone');
  // Without the record nobody removes the cluster.
  writeInside(root, `${basename(place)}${RECORD}`, `${[...used, wanted].join('\n')}\n`, 0o600);
}

/** Empty for a cluster that only an older devflow has opened. */
export function readHomes(place: string): string[] {
  return (readSettingsText(`${place}${RECORD}`) ?? '').split('\n').filter(Boolean);
}

/** `unknown`: this user cannot look, so the home may be there. */
export type Use = 'used' | 'gone' | 'unknown';

/** Whether that home uses the cluster. */
export function useOf(home: string, place: string): Use {
  try {
    lstatSync(home);
    return readFileSync(join(home, LOCATION), 'utf8').trim() === place ? 'used' : 'gone';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'unknown';
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
 * Removes what the cluster of a home has outside of it: the directory of its socket and, as root, its data. For a home that is
 * removed next; its server has ended.
 */
export function removeOutside(wanted: string): void {
  const place = clusterPlace(wanted);
  if (readRunningServer(place)) return;
  if (isElsewhere(place)) removeCluster(place);
  else removeSocketDir(place);
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
