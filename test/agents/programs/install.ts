import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PINS, type Program, type Release, TRIPLES } from './pins.ts';

const run = promisify(execFile);

/** On a slow connection the suite is skipped. */
const INSTALL_MS = 120_000;

export const platform = (): string => `${process.platform}-${process.arch}`;

/** Outside the repository: the programs take 1.2 GB, and all checkouts share them. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  return join(cache, 'devflow-test-agents');
}

/** The absolute paths of the programs, in order. npm fetches missing ones. Throws a sentence if one cannot be installed. */
export async function installPrograms(releases: readonly Release[]): Promise<string[]> {
  const ending = new AbortController();
  const installing = releases.map((release) => installProgram(release, ending.signal));
  try {
    return await Promise.all(installing);
  } catch (error) {
    ending.abort();
    await Promise.allSettled(installing);
    throw error;
  }
}

/** The newest version that npm has. Throws a sentence if npm does not answer. */
export async function newestPublished(program: Program): Promise<string> {
  const name = PINS[program].packageName(platform());
  try {
    const { stdout } = await run('npm', ['view', name, 'version'], { timeout: INSTALL_MS });
    return stdout.trim();
  } catch (error) {
    throw new Error(`npm does not name the newest ${name}: ${lastWords(error)}`);
  }
}

async function installProgram({ program, version }: Release, signal: AbortSignal): Promise<string> {
  const { spec, binary } = PINS[program];
  if (!(platform() in TRIPLES)) throw new Error(`${program} is not published for ${platform()}`);
  const place = join(cacheDirectory(), `${program}-${version}-${platform()}`);
  const path = join(place, binary(platform()));
  if (existsSync(path)) return path;
  mkdirSync(cacheDirectory(), { recursive: true });
  // Installs beside the final place and renames, because two runs may install at once, and either may be killed.
  const draft = mkdtempSync(join(cacheDirectory(), `.${program}-`));
  try {
    const flags = [
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--fetch-retries=1',
    ];
    await run('npm', ['install', '--prefix', draft, ...flags, spec(platform(), version)], {
      timeout: INSTALL_MS,
      signal,
    });
    accessSync(join(draft, binary(platform())), constants.X_OK);
    if (!existsSync(path)) renameSync(draft, place);
  } catch (error) {
    throw new Error(`npm could not bring ${spec(platform(), version)}: ${lastWords(error)}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return path;
}

function lastWords(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  const lines = (stderr || message || String(error)).split('\n').filter((line) => /\S/.test(line));
  return (lines.find((line) => /error/i.test(line)) ?? lines[0] ?? 'it said nothing').slice(0, 200);
}
