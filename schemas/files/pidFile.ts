import { rmSync, writeFileSync } from 'node:fs';
import { readSettingsText } from './openRegular.ts';

/** The pid of the process that listens on the socket. A person sees it only if the daemon does not answer. */
const pidFileOf = (socketPath: string) => `${socketPath}.pid`;

/** Ignores failures, because the daemon works without this file. */
export function writePidFile(socketPath: string): void {
  try {
    // Replace the file, because a pipe may be there.
    rmSync(pidFileOf(socketPath), { force: true });
    writeFileSync(pidFileOf(socketPath), `${process.pid}\n`, { mode: 0o600, flag: 'wx' });
  } catch {
    // A full disk, or a directory of that name.
  }
}

export function removePidFile(socketPath: string): void {
  if (readPid(socketPath) === process.pid) rmSync(pidFileOf(socketPath), { force: true });
}

/** Removes what a killed daemon has left. A socket that another process has taken since stays. */
export function removeSocketOf(pid: number, socketPath: string): void {
  if (readPid(socketPath) !== pid) return;
  for (const path of [socketPath, pidFileOf(socketPath)]) rmSync(path, { force: true });
}

export function readPid(socketPath: string): number | undefined {
  const pid = Number(readSettingsText(pidFileOf(socketPath)));
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}
