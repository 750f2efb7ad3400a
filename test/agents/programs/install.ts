import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PINS, type Program, TRIPLES } from './pins.ts';

const run = promisify(execFile);

/** On a slow connection the suite is skipped. */
const INSTALL_MS = 120_000;

export const platform = (): string => `${process.platform}-${process.arch}`;

/** Outside the repository: the programs take 920 MB, and all checkouts share them. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const cache = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  return join(cache, 'devflow-test-agents');
}

/** The absolute paths of all programs. npm fetches missing ones. Throws a sentence if one cannot be installed. */
export async function installPrograms<P extends Program>(programs: readonly P[]): Promise<Record<P, string>> {
  const ending = new AbortController();
  const installing = programs.map(async (program) => [program, await installProgram(program, ending.signal)] as const);
  try {
    return Object.fromEntries(await Promise.all(installing)) as Record<P, string>;
  } catch (error) {
    ending.abort();
    await Promise.allSettled(installing);
    throw error;
  }
}

async function installProgram(program: Program, signal: AbortSignal): Promise<string> {
  const { version, spec, binary } = PINS[program];
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
