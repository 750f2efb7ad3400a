import { basename, dirname, join } from 'node:path';
import { sha256hex } from '../hash.ts';

/** The name of a repository: that of its directory. `common` is git's directory of all its worktrees. */
export function repositoryName(common: string): string {
  const name = basename(common);
  return name === '.git' ? basename(dirname(common)) : name.replace(/\.git$/, '');
}

export interface PersonsFiles {
  /** Holds for each repository of the name, so what it runs needs consent in each. */
  shared: string;
  /** Holds for this repository alone, and counts first. */
  exact: string;
}

/** The two places of the person's own file for a repository. */
export function personsFiles(configDir: string, common: string): PersonsFiles {
  const name = repositoryName(common);
  const at = (file: string) => join(configDir, 'repositories', `${file}.yaml`);
  return { shared: at(name), exact: at(`${name}-${sha256hex(common).slice(0, 8)}`) };
}

/** A hint for the person whose file for a name needs consent; undefined if it needs none. */
export function sharedFileNote(
  { path, exact }: { path: string; exact: string },
  consents: readonly { from: readonly string[] }[],
): string | undefined {
  if (path === exact || consents.every(({ from }) => !from.includes(path))) return undefined;
  const own = basename(exact);
  return `${path} counts in every repository of this name, so devflow asks in each about what it runs. Rename it to ${own} for this one alone: then devflow does not ask.`;
}
