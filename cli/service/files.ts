import { mkdirSync, readlinkSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { requestFault } from '../../schemas/errorRecord.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { readSettingsText } from '../../schemas/files/openRegular.ts';
import type { Service } from './serviceFile.ts';

/** What is there of a service. */
export interface Installed {
  /** The text of its file; undefined if it is missing. */
  text: string | undefined;
  /** Whether the system starts it at log-in. */
  atLogin: boolean;
}

export function readInstalled({ file, link }: Pick<Service, 'file' | 'link'>): Installed {
  const text = readSettingsText(file);
  return { text, atLogin: text !== undefined && (link === undefined || isLink(link.path)) };
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

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== '';
  } catch {
    return false;
  }
}
