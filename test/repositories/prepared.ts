import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import type { Example } from './examples.ts';
import type { Project } from './projects.ts';

/** What `run.ts` found or brought, for the tests. */
export interface Prepared {
  projects: { project: Project; release: string }[];
  examples: Example[];
  /** The home of the person, which has the caches of all tools. */
  home: string;
  /** `PATH` of the person, with the brought tools in front. */
  path: string;
  /** A directory for one file for each project: its row of the table. */
  rows: string;
}

/** The variable with the path of the JSON file. */
export const PREPARED_AT = 'DEVFLOW_TEST_REPOSITORIES';

/** A row of the table. */
export interface Row {
  name: string;
  language: string;
  release: string;
  setup: string[];
  verify: string[];
  /** Absent: there is nothing to install. */
  installMs?: number;
  /** Absent: nothing can be cloned. */
  cloneMs?: number;
  /** Why it is not green; absent: it is. */
  reason?: string;
}

/** Commits a release as its developers would have it, and returns the commit. */
export function makeCheckout(
  dir: string,
  { project, release }: Prepared['projects'][number],
  env: NodeJS.ProcessEnv,
): string {
  cpSync(release, dir, { recursive: true, verbatimSymlinks: true });
  for (const name of project.without ?? []) rmSync(join(dir, name), { recursive: true });
  if (project.ignore && !existsSync(join(dir, '.gitignore')))
    writeFileSync(join(dir, '.gitignore'), `${project.ignore.join('\n')}\n`);
  const { lock } = project;
  if (lock !== undefined) cpSync(join(packageRoot(), 'test/repositories/locks', project.name, lock), join(dir, lock));
  return commitAll(dir, `Import ${project.release.spec}`, env, [...(project.tracked ?? []), ...(lock ? [lock] : [])]);
}

/** Makes a directory a repository with one commit, and returns the commit. `forced`: files that count although git ignores them. */
export function commitAll(
  dir: string,
  subject: string,
  env: NodeJS.ProcessEnv,
  forced: readonly string[] = [],
): string {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
      cwd: dir,
      env,
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  if (forced.length > 0) git('add', '-f', ...forced);
  git('commit', '-q', '-m', subject);
  return git('rev-parse', 'HEAD');
}
