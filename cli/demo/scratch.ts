import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeOutside } from '../../schemas/embeddedServer/clusterHomes.ts';
import { homeOf } from '../../schemas/files/home.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import type { Story } from './stories.ts';

/** A temporary directory for everything that the demo creates. */
export interface Scratch {
  directory: string;
  repo: string;
  /** The environment of the demo's own daemon. */
  env: Env;
  remove(): void;
}

export function createScratch(
  env: Env,
  { prefix, name, delayMs }: { prefix: string; name: string; delayMs: number },
  makeRepository: (repo: string, env: Env) => void,
): Scratch {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  const home = join(directory, 'home');
  const repo = join(directory, name);
  mkdirSync(home, { mode: 0o700 });
  // As root, the database runs as another user, who must reach its directory.
  const data = join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (process.getuid?.() === 0) for (const path of [directory, home, data]) chmodSync(path, 0o711);
  makeRepository(repo, withoutSettings(env));
  return {
    directory,
    repo,
    env: {
      ...withoutSettings(env),
      DEVFLOW_HOME: home,
      DEVFLOW_DB: 'embedded',
      DEVFLOW_FAKE_DELAY_MS: String(delayMs),
      // Sharing the compile cache makes the daemon start sooner.
      DEVFLOW_INTERNAL_CACHE: compileCache(env),
    },
    remove: () => removeScratch(directory, { DEVFLOW_HOME: home }),
  };
}

/** Removes a scratch whose programs have ended, with what its database has elsewhere. */
export function removeScratch(directory: string, env: Env): void {
  removeOutside(resolvePaths(env).postgresData);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** The user's own devflow settings, such as a database URL, must not reach the demo. */
function withoutSettings(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(DEVFLOW_|GIT_)/.test(name)));
}

/** The same directory as in the entry file, which `build/build.ts` writes. */
function compileCache(env: Env): string {
  if (env.DEVFLOW_INTERNAL_CACHE) return env.DEVFLOW_INTERNAL_CACHE;
  return join(env.DEVFLOW_HOME || join(env.XDG_CACHE_HOME || join(homeOf(env), '.cache'), 'devflow'), 'cache');
}

/** A repository with the files of a story in one commit. */
export function createRepository(repo: string, env: Env, { files, commit }: Pick<Story, 'files' | 'commit'>): void {
  for (const [path, text] of Object.entries(files())) {
    mkdirSync(dirname(join(repo, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(repo, path), text, { mode: 0o600 });
  }
  const quiet = ['-c', 'commit.gpgsign=false', '-c', 'core.hooksPath=/dev/null', '-c', 'init.templateDir='];
  const me = ['-c', 'user.name=devflow demo', '-c', 'user.email=demo@devflow.invalid'];
  const git = (...args: string[]) => execFileSync('git', [...quiet, ...me, ...args], { cwd: repo, env, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', commit);
}
