import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  CLUSTERS_ELSEWHERE,
  readHomes,
  removeCluster,
  useOfCluster,
} from '../../../schemas/embeddedServer/clusterHomes.ts';
import { isServerOf, readPostmasterFile } from '../../../schemas/embeddedServer/postmasterFile.ts';
import { orElse } from '../../../schemas/orElse.ts';
import { withStartLock } from './startLock.ts';

/** A cluster outside of its home that no home uses any more, as far as is known. */
export interface OrphanedData {
  place: string;
  /** The homes that used it. Empty: an older devflow made it and recorded none. */
  homes: string[];
  /** Its server has not ended cleanly. It may run in another container or on another machine, and is not seen then. */
  server?: { pid: number; isSeen: boolean };
  /** Undefined if it is incomplete. */
  lastUsed?: Date;
}

/** The name of a cluster, and the beginning of the names of files beside it. */
const NAME = /^[0-9a-f]{16}(?=$|\.)/;

/** All of them but `own`, the cluster of this home. Empty unless devflow has run as root here. */
export function listOrphanedData(own: string, root = CLUSTERS_ELSEWHERE): OrphanedData[] {
  const names = new Set(orElse(() => readdirSync(root), []).flatMap((entry) => NAME.exec(entry)?.[0] ?? []));
  return [...names]
    .sort()
    .map((name) => join(root, name))
    .filter((place) => place !== own)
    .filter((place) => useOfCluster(place) === 'gone')
    .map((place) => ({
      place,
      homes: readHomes(place),
      server: serverOf(place),
      lastUsed: statSync(join(place, 'global', 'pg_control'), { throwIfNoEntry: false })?.mtime,
    }));
}

/** A clean end removes the file, so a file without a visible server proves no end. */
function serverOf(place: string): OrphanedData['server'] {
  const file = readPostmasterFile(place);
  return file && { pid: file.pid, isSeen: isServerOf(file.pid, place) };
}

/** True if no known fact speaks against the removal. */
export function isRemovable({ homes, server }: OrphanedData): boolean {
  return homes.length > 0 && server === undefined;
}

/** Removes it if its homes are known to be gone and its server has ended. Returns whether it did. */
export function removeOrphanedData({ place }: OrphanedData): Promise<boolean> {
  return withStartLock(`${place}.starting`, async () => {
    // Somebody may have made the home again meanwhile.
    const isGone =
      useOfCluster(place) === 'gone' && isRemovable({ place, homes: readHomes(place), server: serverOf(place) });
    if (!isGone) return false;
    removeCluster(place);
    return true;
  });
}
