import { readdirSync } from 'node:fs';
import { SESSION_DIRECTORY_VARIABLE } from '../../../../schemas/process/agentMark.ts';
import { startTimeOf, statFields } from '../../../../tmux/process/processes.ts';
import { readProc } from '../../../../tmux/process/readProc.ts';
import { MS_A_TICK } from '../../../system/findProcesses.ts';
import { isCaptureProcess } from '../output/captureProcess.ts';
import { isHelper } from './isHelper.ts';

/** A program may start helpers at once, and they run as long as it does. */
export const OWN_START_MS = 2000;

/** Whose processes, and which of them do not count. */
export interface Session {
  directory: string;
  /** The first process in its pane. */
  leader: number;
  /** Words in the command line of processes that do not count. */
  except: string;
}

/**
 * The processes of a session that started more than `ownMs` after its program: tools and commands in the background.
 * They are found by the pane's process group and session, or by the mark in their environment. The capture process does
 * not count. Only on a system with /proc, and while the program runs.
 */
export function* laterProcesses(
  { directory, leader, except }: Session,
  ownMs = OWN_START_MS,
): Generator<{ pid: number; startTime: string; afterMs: number }> {
  const started = Number(startTimeOf(leader));
  const mark = `${SESSION_DIRECTORY_VARIABLE}=${directory}`;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [state = 'X', , group, session, ...others] = statFields(readProc(`${name}/stat`));
    const startTime = others[STARTED] ?? '';
    // Most processes of the machine are older, which saves the look at their environment.
    const afterMs = (Number(startTime) - started) * MS_A_TICK;
    if (afterMs <= ownMs || /^[ZX]/.test(state)) continue;
    const isOurs = [group, session].includes(String(leader)) || readProc(`${name}/environ`).split('\0').includes(mark);
    if (!isOurs || isCaptureProcess(name, `${directory}/`) || readProc(`${name}/cmdline`).includes(except)) continue;
    yield { pid: Number(name), startTime, afterMs };
  }
}

/** Field 22 of proc(5), after the state, the parent, the group and the session. */
const STARTED = 22 - 3 - 4;

/**
 * True if a process of the session runs that may belong to a turn. Not what started together with its program, and no helper
 * that began before the first prompt, `promptMs` after the program. Without /proc it is not known, and the answer is true.
 */
export function runsMore(session: Session, promptMs: number = OWN_START_MS): boolean {
  if (process.platform !== 'linux' || startTimeOf(session.leader) === undefined) return true;
  const late = [...laterProcesses(session)];
  const pids = new Set(late.map(({ pid }) => pid));
  return late.some(({ pid, afterMs }) => afterMs > promptMs || !isHelper(pid, session.leader, pids));
}
