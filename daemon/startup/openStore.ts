import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCurrentDefinitions } from '../definitions/currentDefinitions.ts';
import { logFaults } from '../definitions/problems.ts';
import { createDefinitions } from '../store/definitions.ts';
import { createGitCommands } from '../store/gitCommands.ts';
import { createLists } from '../store/lists.ts';
import { createRunLog } from '../store/runLog.ts';
import type { Ground } from './ground.ts';
import { leadHost } from './leadHost.ts';
import { openDatabaseForLeader } from './openDatabaseForLeader.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

/** The database, which this daemon now leads, and the definitions in force. */
export async function openStore(ground: Ground) {
  const { config, paths, places, lifecycle, patience, logOf } = ground;
  const opening = openDatabaseForLeader(config, paths, places, lifecycle, patience);
  // The await below reports a failure. Until then it must not count as unhandled.
  opening.catch(() => {});
  // The database server is spawned during this turn. While it starts, read the definitions.
  await nextTurn();
  const files = createCurrentDefinitions(places, paths);
  const { database, leadership, here, clock, committer } = await leadHost(await opening, ground, {
    places,
    log: logOf('db'),
  });
  const runLog = createRunLog(database.pool, committer);
  const lists = createLists(database.pool);
  const gitCommands = createGitCommands(database.drizzle);
  const definitions = createDefinitions(database.drizzle);
  const { inForce } = await definitions.seed(files.current());
  files.replace(inForce);
  logFaults(inForce, logOf('definitions'));
  return { database, leadership, here, clock, files, runLog, lists, gitCommands, definitions };
}
