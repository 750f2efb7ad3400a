import { DevflowError } from '../../schemas/errors.ts';
import { endedKeeper } from '../../schemas/keeper/words.ts';
import { hasMark } from '../../schemas/process/agentMark.ts';
import { endKeeper, forgetKeeper } from '../daemon/keeper.ts';
import { oneshot } from '../daemon/oneshot.ts';
import { stopDaemon, stopDatabase } from '../daemon/stopDaemon.ts';
import { readDaemon } from '../daemon/withDaemon.ts';
import type { Down } from '../define/daemon.ts';
import type { Io } from '../io/io.ts';
import { printJson } from '../print/output.ts';

/** Exits with 0 also if nothing was running. */
export const action: Down = async (_params, { json }, io) => {
  const stopped = await readDaemon(io, (client) => stopDaemon(client, io.env));
  if (stopped === undefined) await refuseAgentWithoutDaemon(io);
  const keeper = stopped === undefined ? await endKeeper(io.env) : undefined;
  await forgetKeeper(io.env);
  const leftBehind = stopped === undefined && (await stopDatabase(io.env));
  const hasStopped = stopped !== undefined || keeper !== undefined || leftBehind;
  if (json) printJson(io, { stopped: hasStopped, pid: stopped?.pid ?? null });
  else if (stopped) io.out(`devflow is down (pid ${stopped.pid} ended). Agents stay in their panes.\n`);
  else if (keeper) io.out(`${endedKeeper(keeper)} Agents stay in their panes.\n`);
  else if (leftBehind) io.out('No daemon was running. The database that one had left behind is stopped.\n');
  else io.out('devflow was not running.\n');
  return 0;
};

/** Only the daemon's program can read the settings by which it knows its own agents. */
async function refuseAgentWithoutDaemon(io: Io): Promise<void> {
  if (!hasMark(io.env)) return;
  try {
    await oneshot(io, 'daemon.stop', {});
  } catch (error) {
    if (!(error instanceof DevflowError && error.code === 'daemon_not_running')) throw error;
  }
}
