import { mkdirSync, readlinkSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { requestFault } from '../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { readSettingsText } from '../../schemas/files/openRegular.ts';
import { orElse } from '../../schemas/orElse.ts';

/** Starts devflow at log-in: one file of the system's service manager, and the link that enables it. */
export interface Service {
  name: string;
  file: string;
  text: string;
  /** Absent where the file alone is enough. */
  link?: { path: string; target: string };
  /** Directories that go with the last service in them, the innermost first. */
  directories: readonly string[];
  /** Tells a running manager that the files have changed. */
  reload?: readonly string[];
  /** Prints the state of the service. */
  state?: readonly string[];
  /** Prints `not-found` if a running manager does not search the directory of the file. */
  found?: readonly string[];
  /** The command that starts it before the next log-in. */
  startNow: string;
}

/** The installed parts of a service. */
export interface Installed {
  /** The text of its file; undefined if it is missing. */
  text: string | undefined;
  /** The system starts it at log-in. */
  atLogin: boolean;
}

export function readInstalled({ file, link }: Pick<Service, 'file' | 'link'>): Installed {
  const text = readSettingsText(file);
  const isLinked = link === undefined || orElse(() => readlinkSync(link.path)) !== undefined;
  return { text, atLogin: text !== undefined && isLinked };
}

/** Writes the file and enables the service. */
export function installFiles({ file, text, link }: Service): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, text, { mode: 0o644, flag: 'wx' });
    renameSync(draft, file);
    if (link === undefined) return;
    mkdirSync(dirname(link.path), { recursive: true, mode: 0o755 });
    rmSync(link.path, { force: true });
    symlinkSync(link.target, link.path);
  } catch (cause) {
    const fault = requestFault(cause);
    throw fault ? new DevflowError(fault.code, fault.message, { cause }) : cause;
  }
}

/** Removes both, and the directories of services that are empty then. */
export function removeFiles({ file, link, directories }: Pick<Service, 'file' | 'link' | 'directories'>): void {
  if (link) rmSync(link.path, { force: true });
  rmSync(file, { force: true });
  for (const directory of directories) removeEmpty(directory);
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // The units of other programs are there.
  }
}
