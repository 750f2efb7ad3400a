import { execFileSync, type StdioOptions } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFirstCommit } from './firstCommit.ts';
import { writeFiles } from './writeFiles.ts';

export interface ScratchRepo {
  /** The test's own directory. It contains the repository, its home and everything else the test makes. */
  root: string;
  /** Canonical path of the checkout. */
  dir: string;
  /** Runs git in the checkout, or in `cwd`. Returns its trimmed output. */
  git(...args: string[]): string;
  gitIn(cwd: string, ...args: string[]): string;
  /** Writes files in the checkout, and their directories. */
  write(files: Record<string, string>): void;
  /** Writes files, commits everything and returns the commit. */
  commit(files: Record<string, string>, message?: string): string;
  /** Restores the environment and deletes everything. */
  cleanup(): void;
}

const ISOLATED = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'] as const;

const PIPED: StdioOptions = ['ignore', 'pipe', 'pipe'];

/** One process of this one instead of three: a process as large as a test's worker takes longer to fork than git works. */
const COMMIT = `git add -A &&
git -c user.name=Test -c user.email=test@localhost -c commit.gpgsign=false commit -q --allow-empty -m "$1" &&
git rev-parse HEAD`;

/**
 * A repository on branch main in a temporary directory, with one commit unless `empty`. Until `cleanup` this process
 * has its own HOME and git configuration, so neither the code under test nor git sees the user's.
 */
export function scratchRepo(options: { empty?: boolean; identity?: boolean } = {}): ScratchRepo {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-repo-')));
  const before = ISOLATED.map((name) => [name, process.env[name]] as const);
  const home = join(root, 'home');
  mkdirSync(home);
  const globalConfig = join(home, '.gitconfig');
  writeFileSync(globalConfig, '[init]\n\tdefaultBranch = main\n');
  Object.assign(process.env, { HOME: home, GIT_CONFIG_GLOBAL: globalConfig, GIT_CONFIG_SYSTEM: '/dev/null' });
  process.env.GIT_CONFIG_NOSYSTEM = '1';
  delete process.env.XDG_CONFIG_HOME;

  const dir = join(root, 'repo');
  mkdirSync(dir);
  const gitIn = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, encoding: 'utf8', stdio: PIPED }).trim();
  const write = (files: Record<string, string>) => writeFiles(dir, files, root);
  const commit = (files: Record<string, string>, message = 'A commit') => {
    write(files);
    return execFileSync('sh', ['-c', COMMIT, 'sh', message], { cwd: dir, encoding: 'utf8', stdio: PIPED }).trim();
  };
  if (options.empty) gitIn(dir, 'init', '-q', '-b', 'main');
  else writeFirstCommit(dir, options);

  const cleanup = () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(root, { recursive: true, force: true });
  };
  return { root, dir, git: (...args) => gitIn(dir, ...args), gitIn, write, commit, cleanup };
}
