import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { orElse } from '../orElse.ts';
import { clusterPlace } from './postmasterFile.ts';

/** After the name of a cluster: the drafts in which initdb makes it. */
export const CLUSTER_DRAFT = '.init-';

/** Watches a start from its beginning. The function that it returns is true once this start makes or has made the cluster. */
export function watchCluster(wanted: string): () => boolean {
  const isMade = () => existsSync(join(clusterPlace(wanted), 'PG_VERSION'));
  if (isMade()) return () => false;
  return () => isMade() || hasDraft(clusterPlace(wanted));
}

function hasDraft(place: string): boolean {
  const names = orElse<string[]>(() => readdirSync(dirname(place)), []);
  return names.some((name) => name.startsWith(`${basename(place)}${CLUSTER_DRAFT}`));
}
