import type { Problem } from '../../schemas/definitions/yamlFile.ts';
import { readSettingsFile } from '../../schemas/files/openRegular.ts';
import { parseSettings, type ReadSettings, textOfSettings } from '../../schemas/repository/parseSettings.ts';
import { personsFiles } from '../../schemas/repository/personsFile.ts';

/** The person's own settings for a repository. */
export interface PersonsFile {
  /** The file, or the one that would be read. */
  path: string;
  /** The file for this repository alone. */
  exact: string;
  settings: ReadSettings | null;
  problems: Problem[];
}

/**
 * Reads `repositories/<name>.yaml` of the configuration. Two repositories with one name are told apart by
 * `<name>-<first characters of the hash of git's directory>.yaml`, which counts first.
 */
export function readPersonsFile(configDir: string, common: string): PersonsFile {
  const { shared, exact } = personsFiles(configDir, common);
  const read = readSettingsAt(exact, false) ??
    readSettingsAt(shared, true) ?? { path: shared, settings: null, problems: [] };
  return { ...read, exact };
}

/** Undefined if there is no such file. `isShared`: it counts in every repository of its name. */
export function readSettingsAt(path: string, isShared: boolean): Omit<PersonsFile, 'exact'> | undefined {
  const read = readSettingsFile(path);
  if (!read.ok) {
    if (read.missing || read.code === 'ENOTDIR') return undefined;
    return { path, settings: null, problems: [{ file: path, path: '', message: read.fault }] };
  }
  const text = textOfSettings(read.bytes);
  if (!text.ok) return { path, settings: null, problems: [{ file: path, path: '', message: text.fault }] };
  const parsed = parseSettings(path, text.text, { isPersons: true, isShared });
  return parsed.ok ? { path, settings: parsed, problems: [] } : { path, settings: null, problems: parsed.problems };
}
