import { readSettingsFile } from '../files/openRegular.ts';
import type { Paths } from '../files/paths.ts';
import { sha256hex } from '../hash.ts';

/** A file of settings as somebody read it. */
export interface SettingsFile {
  path: string;
  /** Null for a file that is missing or cannot be read. */
  sha256: string | null;
}

/** The files of settings as they are now, also those that are missing. */
export function readSettingsFiles(paths: Pick<Paths, 'configFile' | 'envFile' | 'envLocalFile'>): SettingsFile[] {
  return [paths.configFile, paths.envFile, paths.envLocalFile].map((path) => {
    const read = readSettingsFile(path);
    return { path, sha256: read.ok ? sha256hex(read.bytes) : null };
  });
}

/** The files that differ from what the daemon read at its start. None if an older daemon does not say what it read. */
export function changedSince(started: readonly SettingsFile[] = [], now: readonly SettingsFile[]): string[] {
  const before = new Map(started.map(({ path, sha256 }) => [path, sha256]));
  return now.filter(({ path, sha256 }) => before.has(path) && before.get(path) !== sha256).map(({ path }) => path);
}
