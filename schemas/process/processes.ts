import { readFileSync } from 'node:fs';
import { orElse } from '../orElse.ts';
import { visible } from '../text/visible.ts';

/** True if a process with this pid exists, even of another user. A zombie exists too. */
export function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Sends a signal to a process that may just have ended. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Sends a signal to a process that may have ended, or that may be another user's. */
export function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Nothing to signal.
  }
}

/** True if the process still runs. A zombie does not: it only waits for its parent to collect its exit code. */
export function isAlive(pid: number): boolean {
  return pidExists(pid) && processState(pid) !== 'Z';
}

/** The state letter of a process from proc(5); undefined without /proc. */
export function processState(pid: number): string | undefined {
  return orElse(() => /^\d+ \(.*\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
}

/** True if a signal (`kill -STOP`, Ctrl-Z) or a debugger stopped the process. */
export function isStopped(pid: number): boolean {
  return ['T', 't'].includes(processState(pid) ?? '');
}

/** The command line of a process, on one line and cut; undefined without /proc, and for another user's. */
export function commandOf(pid: number): string | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return visible(words).trim().slice(0, 100) || undefined;
  } catch {
    return undefined;
  }
}
