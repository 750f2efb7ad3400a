import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readSettingsText } from './settingsFile.ts';

/** Beside the socket: who listens there. It is read only to tell a person which process does not answer. */
const pidFileOf = (socketPath: string) => `${socketPath}.pid`;

/** Without it the daemon works all the same, so no fault of it is told. */
export function writePidFile(socketPath: string): void {
  try {
    // Replaced and not written into: a pipe may lie there.
    rmSync(pidFileOf(socketPath), { force: true });
    writeFileSync(pidFileOf(socketPath), `${process.pid}\n`, { mode: 0o600, flag: 'wx' });
  } catch {
    // A full disk, or a directory of that name.
  }
}

export function removePidFile(socketPath: string): void {
  if (readPid(socketPath) === process.pid) rmSync(pidFileOf(socketPath), { force: true });
}

export function readPid(socketPath: string): number | undefined {
  const pid = Number(readSettingsText(pidFileOf(socketPath)));
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

/** The state letter of a process, as in proc(5); undefined where the system does not tell it by a file. */
export function stateOf(pid: number): string | undefined {
  try {
    return /^\d+ \(.*\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
  } catch {
    return undefined;
  }
}

/** Stopped by a signal (`kill -STOP`, Ctrl-Z), or by a debugger. */
export function isStopped(pid: number): boolean {
  return ['T', 't'].includes(stateOf(pid) ?? '');
}
