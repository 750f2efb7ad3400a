import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../schemas/files/paths.ts';

const run = promisify(execFile);

/** On a slow connection the suite is skipped. A busy machine with two cores needs two minutes. */
const INSTALL_MS = 300_000;
const REQUIREMENTS = join(packageRoot(), 'test/tools/requirements.txt');

/** The directory of the Python packages. pip fetches missing ones, by their hashes. Throws a sentence if it cannot. */
export async function installPackages(): Promise<string> {
  const python = await python3(['-c', 'import sysconfig, sys; print(sys.version_info[:2], sysconfig.get_platform())']);
  // Another list, Python or platform needs other packages.
  const id = createHash('sha256').update(readFileSync(REQUIREMENTS)).update(python).digest('hex').slice(0, 16);
  const cache = join(process.env.XDG_CACHE_HOME || join(process.env.HOME || homedir(), '.cache'), 'devflow-test-tools');
  const place = join(cache, id);
  if (existsSync(place)) return place;
  mkdirSync(cache, { recursive: true });
  // Installs beside the final place and renames, because two runs may install at once, and either may be killed.
  const draft = mkdtempSync(join(cache, '.draft-'));
  try {
    const flags = ['--quiet', '--disable-pip-version-check', '--require-hashes', '--only-binary=:all:', '--retries=1'];
    await python3(['-m', 'pip', 'install', ...flags, '--target', draft, '--requirement', REQUIREMENTS]);
    if (!existsSync(place)) renameSync(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return place;
}

async function python3(args: readonly string[]): Promise<string> {
  try {
    return (await run('python3', args, { timeout: INSTALL_MS })).stdout;
  } catch (error) {
    const { stderr, message, killed } = error as { stderr?: string; message: string; killed?: boolean };
    if (killed) throw new Error(`pip could not bring backtesting.py within ${INSTALL_MS / 1000} s`);
    const lines = (stderr || message).split('\n').filter((line) => /\S/.test(line));
    throw new Error(`pip could not bring backtesting.py: ${(lines.at(-1) ?? 'it said nothing').slice(0, 200)}`);
  }
}
