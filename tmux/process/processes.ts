import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The parent's pid, or undefined when there is no such process. */
export function parentOf(pid: number): number | undefined {
  const parent = statField(pid, 4) ?? psField(pid, 'ppid=');
  return parent === undefined ? undefined : Number(parent);
}

/**
 * When a process started, in whatever unit the system has: equal for the same process, different for another that got
 * its pid later. Undefined when there is none.
 */
export function startTimeOf(pid: number): string | undefined {
  return statField(pid, 22) ?? psField(pid, 'lstart=');
}

/** The text of /proc/PID/stat from its third field on, the state: the program's name before may hold spaces and brackets. */
export function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Field of /proc/PID/stat, counted from 1 as in proc(5). */
function statField(pid: number, field: number): string | undefined {
  try {
    return statFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))[field - 3];
  } catch {
    return undefined;
  }
}

/** For systems without /proc. */
function psField(pid: number, field: string): string | undefined {
  if (process.platform === 'linux') return undefined;
  try {
    return execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
