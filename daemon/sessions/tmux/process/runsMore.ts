import { readdirSync } from 'node:fs';
import { SESSION_DIRECTORY_VARIABLE } from '../../../../schemas/agentMark.ts';
import { startTimeOf, statFields } from '../../../../tmux/process/processes.ts';
import { readProc } from '../../../../tmux/process/readProc.ts';
import { isCaptureProcess } from '../output/captureProcess.ts';

/** A program may start helpers at once, and they run as long as it does. In hundredths of a second. */
const OWN_START_TICKS = 200;

/**
 * True if a process of the session runs that did not start together with its program: a tool, or a command in the
 * background, wherever it is. It is found by the pane's process group and session, or by the mark in its environment.
 * The capture process does not count, nor does one with `except` in its command line. Without /proc it is not known, and the answer is true.
 */
export function runsMore(directory: string, leader: number, except: string): boolean {
  const started = Number(startTimeOf(leader));
  if (process.platform !== 'linux' || Number.isNaN(started)) return true;
  const mark = `${SESSION_DIRECTORY_VARIABLE}=${directory}`;
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    const [state = 'X', , group, session, ...others] = statFields(readProc(`${name}/stat`));
    // Most processes of the machine are older, which saves the look at their environment.
    const startedLater = Number(others[STARTED]) - started > OWN_START_TICKS;
    if (!startedLater || /^[ZX]/.test(state)) return false;
    const isOurs = [group, session].includes(String(leader)) || readProc(`${name}/environ`).split('\0').includes(mark);
    return isOurs && !isCaptureProcess(name, `${directory}/`) && !readProc(`${name}/cmdline`).includes(except);
  });
}

/** Field 22 of proc(5), after the state, the parent, the group and the session. */
const STARTED = 22 - 3 - 4;
