import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { Backend } from '../enums.ts';
import type { BackendConfig } from './config.ts';
import type { Settings } from './settings.ts';

/**
 * Looks up the binary of each backend, once, when the process starts. `searchPath` is a PATH. Its relative entries are
 * ignored, because their meaning depends on the current directory.
 */
export function availableBackends(settings: Settings['backends'], searchPath: string): Record<Backend, BackendConfig> {
  const entries = Backend.options.map((id) => [id, availability(id, settings[id], searchPath)] as const);
  return Object.fromEntries(entries) as Record<Backend, BackendConfig>;
}

function availability(id: Backend, settings: Settings['backends'][Backend], searchPath: string): BackendConfig {
  // The fake backend is always available: it has no binary, and tests and demos rely on it.
  if (id === 'fake') return { ...settings, enabled: true, available: true };
  if (!settings.enabled) return { ...settings, available: false, reason: `${id} is disabled in the configuration` };
  if (settings.binaryPath) {
    return isExecutable(settings.binaryPath)
      ? { ...settings, available: true }
      : { ...settings, available: false, reason: `${settings.binaryPath} is not an executable file` };
  }
  const binaryPath = findOnPath(id, searchPath);
  return binaryPath
    ? { ...settings, available: true, binaryPath }
    : { ...settings, available: false, reason: `no program named ${id} is on PATH` };
}

/** The first executable file with this name on a PATH. */
export function findOnPath(name: string, searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
