import { execFileSync } from 'node:child_process';
import { readProc } from './readProc.ts';

/** The parent's pid; undefined if there is no such process. */
export function parentOf(pid: number): number | undefined {
  const parent = statField(pid, 4) ?? psField(pid, 'ppid=');
  return parent === undefined ? undefined : Number(parent);
}

/**
 * The start time of a process, in the system's own unit. It tells the process from a later one with the same pid.
 * Undefined if there is none.
 */
export function startTimeOf(pid: number): string | undefined {
  return statField(pid, 22) ?? psField(pid, 'lstart=');
}

/**
 * The fields of /proc/PID/stat from the third on, the state. The program's name before it may contain spaces and
 * brackets.
 */
export function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** A field of /proc/PID/stat, counted from 1 as in proc(5). */
function statField(pid: number, field: number): string | undefined {
  return statFields(readProc(`${pid}/stat`))[field - 3];
}

const PS_MS = 10_000;

/** For systems without /proc. */
function psField(pid: number, field: string): string | undefined {
  if (process.platform === 'linux') return undefined;
  try {
    return (
      execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8', timeout: PS_MS }).trim() || undefined
    );
  } catch {
    return undefined;
  }
}
