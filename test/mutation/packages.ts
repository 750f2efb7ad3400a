import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../schemas/files/paths.ts';

const run = promisify(execFile);

/** On a slow connection npm is given up. */
const INSTALL_MS = 300_000;
const LISTS = ['package.json', 'package-lock.json', '.npmrc'];
const MODULES = join(packageRoot(), 'node_modules');
const id = LISTS.reduce((hash, name) => hash.update(readFileSync(listed(name))), createHash('sha256')).digest('hex');
/** Below the modules of devflow, because Stryker must load the same vitest as the tests. */
const PLACE = join(MODULES, `.mutation-${id.slice(0, 16)}`);

/** The path of a file of a package. */
export const fromPackages = (path: string): string => join(PLACE, 'node_modules', path);

/** Brings the packages of the lock file, if they are not there. Throws what npm says. */
export async function installPackages(): Promise<void> {
  if (existsSync(PLACE)) return;
  // Installs beside the final place and renames, because two runs may install at once, and either may be killed.
  const draft = mkdtempSync(join(MODULES, '.mutation-draft-'));
  try {
    for (const name of LISTS) copyFileSync(listed(name), join(draft, name));
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1'];
    await run('npm', ['ci', ...flags], { cwd: draft, timeout: INSTALL_MS });
    if (!existsSync(PLACE)) renameSync(draft, PLACE);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Outside of the repository, one for each checkout: reports, and what is known from earlier runs. */
export function reportsDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  const checkout = createHash('sha256').update(packageRoot()).digest('hex').slice(0, 16);
  return join(cache, 'devflow-mutation', checkout);
}

function listed(name: string): string {
  return join(import.meta.dirname, name);
}
