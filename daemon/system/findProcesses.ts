import { readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { statFields } from '../../tmux/process/processes.ts';
import { readProc } from '../../tmux/process/readProc.ts';

/** A running process, as proc(5) shows it. */
export interface RunningProcess {
  pid: number;
  group: number;
  session: number;
  /** True if a terminal controls it, as it does the shells of persons. */
  hasTerminal: boolean;
  /** In ticks since the start of the machine. A later process with the same pid has another one. */
  startTime: string;
}

export const MS_A_TICK = 10;

/** The event loop gets a turn after this many processes: about two milliseconds. */
const PROCESSES_A_TURN = 64;

/**
 * The running processes that fit, without zombies; none on a system without /proc. The files are in memory, so each is read
 * at once. To read all of them in threads took eight times as long, and some 10 MB that the allocator kept.
 */
export async function findProcesses(fits: (process: RunningProcess) => boolean): Promise<RunningProcess[]> {
  if (process.platform !== 'linux') return [];
  const found: RunningProcess[] = [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const [nth, pid] of pids.entries()) {
    if (nth % PROCESSES_A_TURN === 0) await nextTurn();
    const each = runningProcess(Number(pid));
    if (each && fits(each)) found.push(each);
  }
  return found;
}

/** True if this very process still runs. */
export function isRunning({ pid, startTime }: Pick<RunningProcess, 'pid' | 'startTime'>): boolean {
  return runningProcess(pid)?.startTime === startTime;
}

/** The values of a variable in the environment that the process was started with: one, unless somebody forged another. */
export function variablesOf(pid: number, name: string): string[] {
  return valuesOf(readProc(`${pid}/environ`), name);
}

/** The values of a variable in the text of `/proc/…/environ`. */
export function valuesOf(environment: string, name: string): string[] {
  const lines = environment.split('\0');
  return lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
}

/** The working directory of the process; undefined if that is not known. */
export function workingDirectoryOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function runningProcess(pid: number): RunningProcess | undefined {
  const [state = 'X', , group, session, terminal, ...others] = statFields(readProc(`${pid}/stat`));
  const startTime = others[STARTED];
  if (/^([ZX]|$)/.test(state) || startTime === undefined) return undefined;
  return { pid, group: Number(group), session: Number(session), hasTerminal: terminal !== '0', startTime };
}

/** Field 22, after the state, the parent, the group, the session and the terminal. */
const STARTED = 22 - 3 - 5;
