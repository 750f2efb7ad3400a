import { basename, dirname, join } from 'node:path';
import type { Problem } from '../../schemas/definitions/yamlFile.ts';
import { readSettingsFile } from '../../schemas/files/openRegular.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { parseSettings, type ReadSettings, textOfSettings } from '../../schemas/repository/parseSettings.ts';

/** The person's own settings for a repository. */
export interface PersonsFile {
  /** The file, or the one that would be read. */
  path: string;
  settings: ReadSettings | null;
  problems: Problem[];
}

/** The name of a repository: that of its directory. `common` is git's directory of all its worktrees. */
export function repositoryName(common: string): string {
  const name = basename(common);
  return name === '.git' ? basename(dirname(common)) : name.replace(/\.git$/, '');
}

/**
 * Reads `repositories/<name>.yaml` of the configuration. Two repositories with one name are told apart by
 * `<name>-<first characters of the hash of git's directory>.yaml`, which counts first.
 */
export function readPersonsFile(configDir: string, common: string): PersonsFile {
  const directory = join(configDir, 'repositories');
  const name = repositoryName(common);
  const [usual, exact] = [name, `${name}-${sha256hex(common).slice(0, 8)}`].map((each) =>
    join(directory, `${each}.yaml`),
  ) as [string, string];
  return readSettingsAt(exact) ?? readSettingsAt(usual) ?? { path: usual, settings: null, problems: [] };
}

/** Undefined if there is no such file. */
export function readSettingsAt(path: string): PersonsFile | undefined {
  const read = readSettingsFile(path);
  if (!read.ok) {
    if (read.missing || read.code === 'ENOTDIR') return undefined;
    return { path, settings: null, problems: [{ file: path, path: '', message: read.fault }] };
  }
  const text = textOfSettings(read.bytes);
  if (!text.ok) return { path, settings: null, problems: [{ file: path, path: '', message: text.fault }] };
  const parsed = parseSettings(path, text.text, { isPersons: true });
  return parsed.ok ? { path, settings: parsed, problems: [] } : { path, settings: null, problems: parsed.problems };
}
