import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { problemSentence } from '../../schemas/definitions/yamlFile.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import { orElse } from '../../schemas/orElse.ts';
import { createConsents } from './consent/consents.ts';
import { readSettingsAt } from './personsFile.ts';

const MOST_FILES = 200;

/** Ends like the name of a file for one repository. One for a name may do so, too, and is not judged here then. */
const EXACT = /-[0-9a-f]{8}\.yaml$/;

export interface PersonsFaults {
  /** The number of the person's files for repositories. */
  files: number;
  faults: string[];
}

/** The faults of the person's files for repositories, and of the record of consents. */
export function personsFaults({ configDir, stateDir }: Pick<Paths, 'configDir' | 'stateDir'>): PersonsFaults {
  const files = namesIn(join(configDir, 'repositories')).map((path) => readSettingsAt(path, !EXACT.test(path)));
  const faults = files.flatMap((file) => file?.problems.map(problemSentence) ?? []);
  try {
    createConsents(stateDir).read({ repository: '', part: 'worktree', hash: '' });
  } catch (error) {
    faults.push((error as Error).message);
  }
  return { files: files.length, faults };
}

function namesIn(directory: string): string[] {
  const names = orElse(() => readdirSync(directory), []).filter((name) => name.endsWith('.yaml'));
  return names.slice(0, MOST_FILES).map((name) => join(directory, name));
}
