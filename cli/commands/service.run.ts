import { mkdirSync } from 'node:fs';
import { DevflowError } from '../../schemas/errors.ts';
import { PASSABLE, resolvePaths } from '../../schemas/files/paths.ts';
import { assertUsablePlaces } from '../../schemas/files/usablePlaces.ts';
import { adoptingArguments, keeperArguments, SHELL } from '../../schemas/keeper/keeperArguments.ts';
import { newRecord, runningKeeper, writeRecord } from '../../schemas/keeper/record.ts';
import { daemonEnvironment, keeperPrograms } from '../daemon/daemonProgram.ts';
import { refuseMarked } from '../daemon/refuseAgent.ts';
import { readDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';

/** What a service runs: this process becomes the keeper of the daemon, in the foreground. */
export const action: Action = async (_args: [], _options, io) => {
  const { env } = io;
  refuseMarked(io, 'service run');
  assertUsablePlaces(env);
  const { keeperFile, socketPath, stateDir } = resolvePaths(env);
  const other = runningKeeper(keeperFile);
  if (other) {
    io.out(`Another keeper (pid ${other.pid}) already keeps the daemon.\n`);
    return 0;
  }
  const daemonPid = await readDaemon(io, async (client) => (await client.call('daemon.status')).daemon.pid);
  const programs = keeperPrograms(env);
  const words = daemonPid === undefined ? keeperArguments(programs) : adoptingArguments(programs, daemonPid);
  mkdirSync(stateDir, { recursive: true, mode: PASSABLE });
  process.chdir(stateDir);
  writeRecord(keeperFile, newRecord(process.pid, 'service', socketPath));
  process.execve?.(SHELL, [SHELL, ...words], daemonEnvironment(env) as NodeJS.ProcessEnv);
  throw new DevflowError('internal', 'this Node cannot become another program: devflow needs Node 22.18 or newer');
};
