import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { writeFirstCommit } from './firstCommit.ts';
import { writeFiles } from './writeFiles.ts';

export interface TestRepo {
  /** Canonical path of the checkout. */
  dir: string;
  /** Runs git in the checkout and returns its trimmed output. */
  git(...args: string[]): string;
  write(files: Record<string, string>): void;
}

/** The test's own HOME, without git configuration of the user, for the daemon and for the test's git. */
export function isolatedEnv(home: string): Record<string, string> {
  mkdirSync(home, { recursive: true });
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}

/** A repository on branch main with one commit. Unlike `scratchRepo` it leaves this process's environment alone. */
export function makeRepo(path: string, env: Record<string, string>): TestRepo {
  mkdirSync(path, { recursive: true });
  const dir = realpathSync(path);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  writeFirstCommit(dir);
  return { dir, git, write: (files) => writeFiles(dir, files) };
}
