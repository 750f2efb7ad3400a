import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { orElse } from '../../../schemas/orElse.ts';
import { createGit, type Git } from '../git/git.ts';
import type { GitOptions, GitOutput } from '../git/gitCommand.ts';
import { createRecentEntries } from '../git/recentEntries.ts';
import { refuseCheckout } from '../git/refuseCheckout.ts';
import {
  canonical,
  commonDirectory,
  findWorktree,
  isDirectory,
  readText,
  type WorktreeEntry,
} from '../git/repositoryFiles.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { keepLink, keepText, makeAsGit } from './keepFiles.ts';
import { keepExclude } from './ownExcludes.ts';
import { BARE_CONFIG, composePrivateConfig, filtersOf, type PrivateConfig } from './privateConfig.ts';

/**
 * devflow's private git directory of a worktree, `<common>/worktrees/<id>/devflow`. HEAD always names devflow's branch, index
 * and configuration are devflow's, and objects and refs are links to the person's. So neither files in the worktree, such as
 * `.git`, nor the repository's configuration control how git runs.
 */
export interface PrivateGit extends WorktreePlace {
  common: string;
  entry: WorktreeEntry;
  gitDir: string;
  hasIdentity: boolean;
  /** Runs git on the files of the worktree. */
  run(args: readonly string[], options?: GitOptions): Promise<GitOutput>;
  /** Like `run`, but only reads, and returns only the text. */
  read(args: readonly string[], options?: GitOptions): Promise<string>;
  /** Runs git on commits, trees and refs. It ignores the worktree, including `.gitattributes`. */
  objects(args: readonly string[], options?: GitOptions): Promise<GitOutput>;
}

/** The settings for a commit where the person has no name: git refuses to make one without. */
export function identitySettings({ hasIdentity }: Pick<PrivateGit, 'hasIdentity'>): string[] {
  return hasIdentity ? [] : ['user.name=devflow', 'user.email=devflow@localhost'];
}

/** The parts of the shared directory that it needs. It has no hooks, configuration or log of HEAD. */
const SHARED = ['objects', 'refs', 'packed-refs', 'shallow', 'logs/refs', 'lfs'] as const;

/** The files of a sparse checkout. git copies this list from the person's checkout. */
export const SPARSE = 'info/sparse-checkout';

/** More worktrees than a daemon uses at once. Each configuration takes some 3 KB. */
const MOST_CONFIGS = 300;

/** Configurations by git directory, with the stamps of their source files. */
const configs = createRecentEntries<PrivateConfig & { stamp: string }>(MOST_CONFIGS);

/** Checks and repairs the private git directory of a worktree. Throws git_failed if the worktree is gone. */
export async function openPrivateGit(place: WorktreePlace, git: Git = createGit()): Promise<PrivateGit> {
  refuseCheckout(place);
  const path = await canonical(place.path);
  if (!(await isDirectory(path))) throw worktreeGone(path);
  const common = await commonDirectory(place.repoPath);
  const entry = await findWorktree(common, path);
  if (!entry) throw worktreeGone(path);
  return makePrivateGit({ ...place, path }, common, entry, git);
}

/** Like `openPrivateGit`, but the worktree may have no files yet. Stores `filters` for all later calls. */
export async function makePrivateGit(
  place: WorktreePlace,
  common: string,
  entry: WorktreeEntry,
  git: Git,
  filters?: string[],
): Promise<PrivateGit> {
  const gitDir = join(entry.directory, 'devflow');
  for (const name of ['logs', 'info']) mkdirSync(join(gitDir, name), { recursive: true, mode: 0o700 });
  if (realpathSync.native(gitDir) !== join(realpathSync.native(entry.directory), 'devflow')) {
    throw new DevflowError('git_failed', `devflow does not use ${gitDir}, because it is a link.`, {
      recoveryHint: `Remove ${gitDir}, then approve to try again.`,
    });
  }
  // A bare repository may have no logs yet. Without the directory our link to it would dangle, and git could change no ref.
  makeAsGit(join(common, 'logs', 'refs'), common);
  await Promise.all([
    ...SHARED.map((name) => keepLink(join(gitDir, name), join(common, name))),
    keepLink(join(gitDir, SPARSE), join(entry.directory, SPARSE)),
    keepExclude(common, gitDir),
  ]);
  await keepText(join(gitDir, 'HEAD'), `${place.head ?? `ref: refs/heads/${place.branch}`}\n`);
  const { hasIdentity } = await keepConfig(common, gitDir, filters);
  const run: PrivateGit['run'] = (args, options) =>
    git.run(place.path, args, { ...options, gitDir, commonDir: common, workTree: place.path });
  return {
    ...place,
    common,
    entry,
    gitDir,
    hasIdentity,
    run,
    read: async (args, options) => (await run(args, { ...options, read: true })).stdout,
    objects: (args, options) =>
      git.run(gitDir, args, {
        ...options,
        gitDir,
        commonDir: common,
        settings: [...WITHOUT_FILES, ...(options?.settings ?? [])],
      }),
  };
}

/** No ref can have this name, not even one of an agent, so newer versions of git read no attributes. */
const WITHOUT_FILES = ['core.bare=true', 'attr.tree=refs/devflow/none.lock'];

async function keepConfig(common: string, gitDir: string, filters: string[] | undefined): Promise<PrivateConfig> {
  const file = join(gitDir, 'config');
  const before = await readText(file);
  const remembered = configs.get(gitDir);
  const same = filters === undefined && remembered && stampOf(remembered.sources) === remembered.stamp;
  if (same) {
    await keepText(file, remembered.text);
    return remembered;
  }
  // Version 1 checked files out with the person's filters. Without them each filtered file would count as changed.
  const names = filters ?? (before === undefined ? undefined : filtersOf(before));
  if (before === undefined) await keepText(file, BARE_CONFIG);
  const config = await composePrivateConfig(common, gitDir, names);
  await keepText(file, config.text);
  configs.set(gitDir, { ...config, stamp: stampOf(config.sources) });
  return config;
}

function stampOf(paths: readonly string[]): string {
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, GIT_CONFIG_NOSYSTEM, HOME } = process.env;
  const stamps = paths.map((path) => {
    const facts = orElse(() => statSync(path, { throwIfNoEntry: false }));
    return facts ? [facts.ino, facts.size, facts.mtimeMs, facts.ctimeMs] : null;
  });
  return JSON.stringify([GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, GIT_CONFIG_NOSYSTEM, HOME, ...stamps]);
}

function worktreeGone(path: string): DevflowError {
  return new DevflowError('git_failed', `The worktree ${path} is gone.`, {
    recoveryHint: 'Approve to try again: devflow restores the worktree from its branch.',
  });
}
