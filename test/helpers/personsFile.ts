import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { personsFiles } from '../../schemas/repository/personsFile.ts';

/** Writes the person's own file for a checkout alone, which needs no consent. */
export function writePersonsFile(env: Env, checkout: string, settings: object): void {
  const { exact } = personsFiles(resolvePaths(env).configDir, realpathSync.native(join(checkout, '.git')));
  mkdirSync(dirname(exact), { recursive: true });
  writeFileSync(exact, JSON.stringify(settings));
}
