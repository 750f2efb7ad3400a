import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CLUSTERS_ELSEWHERE, readHomes, removeCluster, useOf } from '../../../schemas/embeddedServer/clusterHomes.ts';
import { readRunningServer } from '../../../schemas/embeddedServer/postmasterFile.ts';
import { withStartLock } from './startLock.ts';

/** A cluster outside of its home that no home uses any more, as far as is known. */
export interface OrphanedData {
  place: string;
  /** The homes that used it. Empty: an older devflow made it and recorded none. */
  homes: string[];
  /** Of the server that still runs on it. */
  serverPid?: number;
  /** Undefined if it is incomplete. */
  lastUsed?: Date;
}

/** Of a cluster, and of what lies beside it. */
const NAME = /^[0-9a-f]{16}(?=$|\.)/;

/** All of them but `own`, the cluster of this home. Empty unless devflow has run as root here. */
export function listOrphanedData(own: string, root = CLUSTERS_ELSEWHERE): OrphanedData[] {
  const names = new Set(entriesOf(root).flatMap((entry) => NAME.exec(entry)?.[0] ?? []));
  return [...names]
    .sort()
    .map((name) => join(root, name))
    .filter((place) => place !== own)
    .map((place) => ({ place, homes: readHomes(place) }))
    .filter(({ place, homes }) => homes.every((home) => useOf(home, place) === 'gone'))
    .map(({ place, homes }) => ({
      place,
      homes,
      serverPid: readRunningServer(place)?.pid,
      lastUsed: statSync(join(place, 'global', 'pg_control'), { throwIfNoEntry: false })?.mtime,
    }));
}

/** Removes it if its homes are known to be gone and no server runs on it. Returns whether it did. */
export function removeOrphanedData({ place, homes }: OrphanedData): Promise<boolean> {
  return withStartLock(`${place}.starting`, async () => {
    // Somebody may have made the home again meanwhile.
    const isGone = homes.length > 0 && readHomes(place).every((home) => useOf(home, place) === 'gone');
    if (!isGone || readRunningServer(place)) return false;
    removeCluster(place);
    return true;
  });
}

function entriesOf(root: string): string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}
