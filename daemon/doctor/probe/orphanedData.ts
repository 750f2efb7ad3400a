import { clusterPlace } from '../../../schemas/embeddedServer/postmasterFile.ts';
import type { Env, Paths } from '../../../schemas/files/paths.ts';
import {
  isRemovable,
  listOrphanedData,
  type OrphanedData,
  removeOrphanedData,
} from '../../db/embedded/orphanedData.ts';
import { type CheckResult, type Diagnosis, pass, warn } from './check.ts';
import { ask } from './program.ts';

interface Place {
  paths: Pick<Paths, 'postgresData'>;
  env: Env;
  /** Where to look; tests have their own. */
  root?: string;
}

const SHOWN = 3;

/** Names the data of embedded databases that no home uses any more. */
export async function diagnoseOrphanedData(place: Place): Promise<Diagnosis> {
  const orphans = listOrphanedData(clusterPlace(place.paths.postgresData), place.root);
  if (orphans.length === 0) return pass('none');
  const [gone, unrecorded] = [
    orphans.filter(({ homes }) => homes.length > 0),
    orphans.filter(({ homes }) => homes.length === 0),
  ];
  const parts = [
    await describeAll('of embedded databases whose home is gone', gone, place.env),
    await describeAll('of an older devflow, which did not record their homes', unrecorded, place.env),
  ];
  const remedies = [
    ...(gone.length > 0 ? ['Remove the data without a home: devflow doctor --remove-orphaned-data.'] : []),
    ...(unrecorded.length > 0 ? ['devflow up records a home. Remove yourself what no home of yours uses.'] : []),
  ];
  return warn(parts.filter(Boolean).join('; '), remedies.join(' '));
}

/** Removes the confirmed directories, by the names of the results. Says of each what became of it, or would. */
export async function removeAllOrphanedData(
  { paths, root }: Omit<Place, 'env'>,
  confirmed: readonly string[],
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const orphan of listOrphanedData(clusterPlace(paths.postgresData), root)) {
    const name = `orphaned-data ${orphan.place.slice(-16)}`;
    results.push({ name, ...(await removeConfirmed(orphan, confirmed.includes(name))) });
  }
  return results;
}

async function removeConfirmed(orphan: OrphanedData, isConfirmed: boolean): Promise<Diagnosis> {
  if (!isRemovable(orphan)) return kept(orphan);
  if (!isConfirmed) return pass(`can be removed: ${nameOf(orphan)}`);
  return (await removeOrphanedData(orphan)) ? pass(`removed ${nameOf(orphan)}`) : kept(orphan);
}

function kept(orphan: OrphanedData): Diagnosis {
  const { place, homes, server } = orphan;
  if (server?.isSeen) {
    return warn(`kept ${nameOf(orphan)}: its server runs`, `End the server first: kill -INT ${server.pid}.`);
  }
  if (server) {
    return warn(
      `kept ${nameOf(orphan)}: its server was killed, or runs in a container or on another machine`,
      `If no server runs on it anywhere: rm -r ${place}.`,
    );
  }
  if (homes.length > 0) return warn(`kept ${nameOf(orphan)}: it is used again`, 'There is nothing to do.');
  return warn(`kept ${nameOf(orphan)}`, `If no home of yours uses it: rm -r ${place}.`);
}

async function describeAll(what: string, orphans: OrphanedData[], env: Env): Promise<string> {
  if (orphans.length === 0) return '';
  const count = orphans.length === 1 ? '1 directory' : `${orphans.length} directories`;
  const more = orphans.length > SHOWN ? ', …' : '';
  const names = orphans.slice(0, SHOWN).map(nameOf).join(', ');
  return `${count} ${what}${await sizeOf(orphans, env)}: ${names}${more}`;
}

function nameOf({ place, homes, server, lastUsed }: OrphanedData): string {
  const used = lastUsed === undefined ? 'incomplete' : `last used ${lastUsed.toISOString().slice(0, 10)}`;
  const home = homes.length > 0 ? `home ${homes.join(' and ')}` : 'home not recorded';
  return `${place} (${home}, ${used}${server?.isSeen ? `, its server ${server.pid} runs` : ''})`;
}

/** Empty if `du` gives no answer in time. */
async function sizeOf(orphans: OrphanedData[], env: Env): Promise<string> {
  const ran = await ask('du', ['-skc', '--', ...orphans.map(({ place }) => place)], env);
  const kilobytes = Number(ran?.out.split('\n').at(-1)?.split('\t')[0]);
  return ran?.ok && kilobytes > 0 ? `, ${Math.round(kilobytes / 1000)} MB` : '';
}
