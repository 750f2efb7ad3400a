import { setTimeout as pause } from 'node:timers/promises';
import { COMMAND_VARIABLE } from '../../schemas/process/agentMark.ts';
import { trySignal } from '../../schemas/process/processes.ts';
import { steadyNow } from '../../schemas/time/steadyTime.ts';
import {
  findProcesses,
  isRunning,
  type RunningProcess,
  variablesOf,
  workingDirectoryOf,
} from '../system/findProcesses.ts';

/** The marks of processes that belong to commands. */
export interface Marked {
  isMark(mark: string): boolean;
  /** The wrapper, which leads a group and a session. */
  leader?: number;
  /**
   * Processes that began below this directory since the command started, without a terminal, are its leftovers. Other
   * processes there are a person's.
   */
  below?: { directory: string; since: string };
}

const GRACE_MS = 500;
const LOOK_MS = 10;
/** The second round finds what a process started while it was being ended. */
const ROUNDS = 2;

/** Ends the processes of commands wherever they are: TERM, then KILL. Only on a system with /proc. */
export async function endMarked(marked: Marked): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await findProcesses((each) => each.pid !== process.pid && belongs(each, marked));
    if (found.length === 0) return;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      for (const { pid } of found.filter(isRunning)) trySignal(pid, signal);
      const end = steadyNow() + GRACE_MS;
      while (found.some(isRunning) && steadyNow() < end) await pause(LOOK_MS);
    }
  }
}

/** Ends all commands of a run. Their directories contain its id. */
export async function endCommandsOf(runId: string): Promise<void> {
  await endMarked({ isMark: (mark) => mark.split('/').includes(runId) });
}

function belongs(
  { pid, group, session, hasTerminal, startTime }: RunningProcess,
  { isMark, leader, below }: Marked,
): boolean {
  if (leader !== undefined && (group === leader || session === leader)) return true;
  if (variablesOf(pid, COMMAND_VARIABLE).some(isMark)) return true;
  if (below === undefined || hasTerminal || Number(startTime) < Number(below.since)) return false;
  return `${workingDirectoryOf(pid)}/`.startsWith(`${below.directory}/`);
}
