import { statSync } from 'node:fs';
import { uptime } from 'node:os';
import { COMMAND_VARIABLE } from '../../schemas/process/agentMark.ts';
import { findProcesses, MS_A_TICK, type RunningProcess, variablesOf } from '../system/findProcesses.ts';
import type { CommandFiles } from './commandFiles.ts';
import { readStartTime } from './processIdentity.ts';

/** Times of files and of processes come from two clocks. */
const SLACK_MS = 100;
/** The wrapper writes its file some time after its start. */
const LONGEST_START_MS = 60_000;

/**
 * The number of the group and session of a command's wrapper, if they are still its own. No new process gets the number of
 * a session that has members. Once it has none, or after a reboot, another program may get it. That may end before its
 * children. A process from before the command's end shows that the session always had members.
 */
export async function groupOf(
  files: Pick<CommandFiles, 'base' | 'pid' | 'exit'>,
  { pid, started }: { pid: number; started: string },
): Promise<number | undefined> {
  const now = await readStartTime(pid);
  if (now === started) return pid;
  if (now !== undefined) return undefined;
  if (process.platform !== 'linux') return pid;
  const machineStarted = Date.now() - uptime() * 1000;
  const startOf = (ticks: string) => machineStarted + Number(ticks) * MS_A_TICK;
  const written = modifiedAt(files.pid) ?? 0;
  if (Math.abs(written - startOf(started)) > LONGEST_START_MS) return undefined;
  const end = (modifiedAt(files.exit) ?? Number.POSITIVE_INFINITY) + SLACK_MS;
  const isOurs = (each: RunningProcess) =>
    each.session === pid &&
    (startOf(each.startTime) <= end || variablesOf(each.pid, COMMAND_VARIABLE).includes(files.base));
  return (await findProcesses(isOurs)).length > 0 ? pid : undefined;
}

function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
